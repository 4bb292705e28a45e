import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError, systemCode } from '../lib/errors.ts'
import type { RosterBytes } from './roster-bytes.ts'
import { limitBytes, spreadsheet } from './roster-bytes.ts'
import { openZipMember } from './zip-member.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * Opens a .csv, .txt, .xml, .zip or .gz file. Detects archives by content, not by name. Throws `bad_input` if the file
 * cannot be opened.
 */
export async function openRosterBytes(path: string, maxBytes: number): Promise<RosterBytes> {
  const file = basename(path)
  const { size, head } = await readHead(path, file)
  if (size === 0) throw new AppError('bad_input', `${file} is empty.`)
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return await openZipMember(path, file, maxBytes)
  if (head.startsWith('\xd0\xcf\x11\xe0')) throw spreadsheet(file)
  if (head.startsWith('%PDF')) throw new AppError('bad_input', `${file} is a PDF, not a roster.`)
  const gzip = head.startsWith('\x1f\x8b')
  if (!gzip && /\.(zip|gz)$/i.test(file))
    throw new AppError(
      'bad_input',
      `${file} is named like a zip or gzip file but is not one. Check that the download is complete.`,
    )
  return {
    file,
    name: gzip ? file.replace(/\.gz$/i, '') : file,
    size,
    crc32: undefined,
    read: async () => (gzip ? gunzip(path, file, maxBytes) : createReadStream(path, { highWaterMark: CHUNK_BYTES })),
    async [Symbol.asyncDispose]() {},
  }
}

async function readHead(path: string, file: string): Promise<{ size: number; head: string }> {
  try {
    const { size } = await stat(path)
    await using handle = await open(path)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0)
    return { size, head: buffer.toString('latin1', 0, bytesRead) }
  } catch (error) {
    const code = systemCode(error)
    const why =
      code === 'ENOENT'
        ? `File ${path} does not exist.`
        : code === 'EISDIR'
          ? `${file} is a directory. Specify the files in it.`
          : `${file} cannot be read (${code ?? String(error)}).`
    throw new AppError('bad_input', why, { cause: error })
  }
}

function gunzip(path: string, file: string, maxBytes: number): Readable {
  const unpack = createGunzip({ chunkSize: CHUNK_BYTES })
  // The stream reports errors to its reader, so the callback ignores them.
  return pipeline(createReadStream(path), unpack, limitBytes(file, maxBytes), () => undefined)
}
