import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Writes a zip file with the given members. */
export async function zipFile(path: string, members: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const zip = new ZipFile()
  for (const [name, bytes] of Object.entries(members)) zip.addBuffer(Buffer.from(bytes), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}
