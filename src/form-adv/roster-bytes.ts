import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { AppError } from '../lib/errors.ts'

/** A roster's bytes, unpacked. They can be read as often as needed: once to know the encoding, once to take the rows. */
export interface RosterBytes extends AsyncDisposable {
  /** The file as it was named, without its folder. */
  file: string
  /** Name of the roster itself: the file's own, or its member's in a zip. */
  name: string
  /** Bytes to read, for a progress bar; for .gz those of the packed file. */
  size: number
  /** CRC-32 that the archive promises; undefined without an archive. */
  crc32: number | undefined
  read(): Promise<Readable>
}

export type Encoding = 'utf-8' | 'windows-1252'

export interface ReadBytesOptions {
  /** Is told how many bytes have been taken. */
  onBytes?: ((bytes: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** The bytes as text, from the beginning. */
export async function* decode(
  bytes: RosterBytes,
  encoding: Encoding,
  { onBytes, signal }: ReadBytesOptions = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  let taken = 0
  for await (const chunk of await bytes.read()) {
    signal?.throwIfAborted()
    yield decoder.decode(chunk as Buffer, { stream: true })
    taken += (chunk as Buffer).length
    onBytes?.(taken)
  }
  yield decoder.decode()
}

/** Passes bytes on, and fails as soon as there are more than a roster can have: what unpacks without end is not a roster. */
export function limitBytes(file: string, maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(tooLarge(file, maxBytes))
      else done(null, chunk)
    },
  })
}

export const tooLarge = (file: string, maxBytes: number) =>
  new AppError(
    'bad_input',
    `${file} unpacks to more than ${Math.floor(maxBytes / 2 ** 20)} MB, as no roster does. If it is one, raise firms.max_file_megabytes.`,
  )

/** The error for a workbook, alone or inside a zip. */
export const spreadsheet = (file: string) =>
  new AppError('bad_input', `${file} is an Excel workbook. Export its sheet as CSV (UTF-8 or Windows) and import that.`)

/** The error for bytes that end too early or do not add up. */
export const damaged = (file: string, cause?: unknown) =>
  new AppError('bad_input', `${file} is cut off or damaged: it does not unpack. Download it again.`, { cause })
