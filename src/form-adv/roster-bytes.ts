import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { AppError } from '../lib/errors.ts'
import { MixedDecoder } from './mixed-encoding.ts'

/**
 * The uncompressed bytes of a roster. The bytes are read twice: first to detect the encoding, then to parse the rows.
 */
export interface RosterBytes extends AsyncDisposable {
  /** Base name of the file on disk. */
  file: string
  /** Base name of the roster, which may be a file inside a zip. */
  name: string
  /** Number of bytes to read, for the progress bar. For .gz files, the number is the compressed size. */
  size: number
  /** CRC-32 from the archive, if any. */
  crc32: number | undefined
  read(): Promise<Readable>
}

/** `utf-8 with windows-1252` means UTF-8 with a few Windows-1252 characters, which some editing tools introduce. */
export type Encoding = 'utf-8' | 'windows-1252' | 'utf-8 with windows-1252'

export interface ReadBytesOptions {
  /** Called with the number of bytes read. */
  onBytes?: ((bytes: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Decodes the bytes as text. */
export async function* decode(
  bytes: RosterBytes,
  encoding: Encoding,
  { onBytes, signal }: ReadBytesOptions = {},
): AsyncGenerator<string> {
  const decoder = encoding === 'utf-8 with windows-1252' ? new MixedDecoder() : new TextDecoder(encoding)
  let taken = 0
  for await (const chunk of await bytes.read()) {
    signal?.throwIfAborted()
    yield decoder.decode(chunk as Buffer, { stream: true })
    taken += (chunk as Buffer).length
    onBytes?.(taken)
  }
  yield decoder.decode()
}

/** Passes bytes through, and fails after `maxBytes` to protect against zip bombs. */
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
    `${file} is larger than ${Math.floor(maxBytes / 2 ** 20)} MB uncompressed. If it is a roster, raise firms.max_file_megabytes.`,
  )

/** The error for a workbook. */
export const spreadsheet = (file: string) =>
  new AppError('bad_input', `${file} is an Excel workbook. Export the sheet as CSV and import that file.`)

/** The error for a truncated or corrupt archive. */
export const damaged = (file: string, cause?: unknown) =>
  new AppError('bad_input', `${file} is truncated or corrupt. Download it again.`, { cause })
