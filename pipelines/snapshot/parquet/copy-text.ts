import type { Cells } from '../rows.ts'

export const TAB = 0x09
export const NEWLINE = 0x0a
export const BACKSLASH = 0x5c
const LETTER_N = 0x4e

/** Regroups chunks of COPY's text format into chunks of whole rows. */
export async function* wholeRows(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)])
      rest = []
    }
    if (end < chunk.length) rest.push(chunk.subarray(end))
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Formats a row in COPY's text format. */
export const toCopyText = (cells: Cells): string =>
  `${cells.map((cell) => (cell === null ? '\\N' : cell.replaceAll(/[\\\n\r\t]/g, (escaped) => ESCAPES[escaped] as string))).join('\t')}\n`

/** Whether the cell between two positions is null. */
export const isNull = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === 2 && bytes[start] === BACKSLASH && bytes[start + 1] === LETTER_N

/** Bytes that COPY escapes as a backslash and a letter, keyed by the letter. */
const UNESCAPED: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }).map(([letter, character]) => [
    letter.charCodeAt(0),
    character.charCodeAt(0),
  ]),
)

/** The value of a cell that contains backslashes. */
export function unescapeCell(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const value = new Uint8Array(end - start)
  let size = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number
    const next = bytes[at + 1] as number
    if (byte === BACKSLASH) at += 1
    value[size] = byte === BACKSLASH ? (UNESCAPED.get(next) ?? next) : byte
    size += 1
  }
  return value.subarray(0, size)
}
