import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { AppError } from '../lib/errors.ts'
import { EncodingCounter, MixedDecoder } from './mixed-encoding.ts'
import type { Encoding, RosterBytes } from './roster-bytes.ts'
import { damaged } from './roster-bytes.ts'

/** Properties determined by reading the whole file. */
export interface Inspection {
  /** UTF-8 if most non-ASCII characters are valid UTF-8, otherwise Windows-1252. */
  encoding: Encoding
  /** Number of bytes that are not valid UTF-8 in a file that is mostly UTF-8. */
  strayBytes: number
  /** SHA-256 in hexadecimal. */
  sha256: string
  /** The first 64 KiB as text, without the byte order mark. */
  head: string
  /** Whether the file ends with a line break. A file without a final line break is probably truncated. */
  endsWithLineBreak: boolean
}

const HEAD_BYTES = 64 * 1024
const NOTICE_BYTES = 2_000
const LINE_FEED = 0x0a

/**
 * Reads the file once. Throws `bad_input` if the file is damaged, is not text, or is a notice that the SEC published
 * instead of a roster.
 */
export async function inspectBytes(bytes: RosterBytes, signal?: AbortSignal): Promise<Inspection> {
  const hash = createHash('sha256')
  const counter = new EncodingCounter()
  let checksum = 0
  let head = Buffer.alloc(0)
  let last = 0
  let size = 0
  for await (const chunk of chunksOf(bytes)) {
    signal?.throwIfAborted()
    hash.update(chunk)
    checksum = crc32(chunk, checksum)
    counter.add(chunk)
    if (head.length < HEAD_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      refuseBinary(bytes.name, head)
    }
    last = chunk.at(-1) ?? last
    size += chunk.length
  }
  counter.add(Buffer.alloc(0), true)
  if (bytes.crc32 !== undefined && bytes.crc32 !== checksum) throw damaged(bytes.file)
  const encoding = encodingOf(counter)
  const isMixed = encoding === 'utf-8 with windows-1252'
  const text = isMixed ? new MixedDecoder().decode(head) : new TextDecoder(encoding).decode(head)
  if (text.trim() === '') throw new AppError('bad_input', `${bytes.name} is empty.`)
  if (size < NOTICE_BYTES) refuseNotice(bytes.name, text)
  return {
    encoding,
    strayBytes: isMixed ? counter.others : 0,
    sha256: hash.digest('hex'),
    head: text,
    endsWithLineBreak: last === LINE_FEED,
  }
}

/** Determines the encoding. Windows-1252 text rarely contains a valid UTF-8 sequence by chance. */
const encodingOf = ({ sequences, others }: EncodingCounter): Encoding =>
  others === 0 ? 'utf-8' : sequences > others ? 'utf-8 with windows-1252' : 'windows-1252'

async function* chunksOf(bytes: RosterBytes): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await bytes.read()) yield chunk as Buffer
  } catch (error) {
    throw error instanceof AppError ? error : damaged(bytes.file, error)
  }
}

function refuseBinary(name: string, head: Buffer): void {
  const wide = head.length >= 2 && ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
  if (wide) throw new AppError('bad_input', `${name} is UTF-16. Save it as CSV in UTF-8 and import that file.`)
  if (head.includes(0))
    throw new AppError('bad_input', `${name} is not text. Rosters are CSV, |-separated text or XML.`)
}

/**
 * Rejects the notice that the SEC publishes in months without a roster: "... unavailable due to the federal government
 * shutdown".
 */
function refuseNotice(name: string, text: string): void {
  const notice = text.replace(/\s+/g, ' ').replaceAll('"', '').trim()
  if (!/\b(un|not )available\b/i.test(notice) || /organization crd/i.test(notice)) return
  throw new AppError(
    'bad_input',
    `${name} is a notice instead of a roster: "${notice.slice(0, 300)}". There is nothing to import for this month.`,
  )
}
