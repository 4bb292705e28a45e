const QUOTE = 0x22
const NEWLINE = 0x0a

/**
 * Splits a CSV file into files of at most `rows` rows, each with the header row. Works on bytes, because the service
 * detects the encoding; line breaks in quoted cells do not end a row.
 */
export function splitCsv(file: Uint8Array<ArrayBuffer>, rows: number): Uint8Array<ArrayBuffer>[] {
  const ends: number[] = []
  let isQuoted = false
  for (let place = 0; place < file.length; place += 1) {
    if (file[place] === QUOTE) isQuoted = !isQuoted
    else if (file[place] === NEWLINE && !isQuoted) ends.push(place + 1)
  }
  if (ends.at(-1) !== file.length) ends.push(file.length)
  if (ends.length - 1 <= rows) return [file]
  const heading = file.subarray(0, ends[0])
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let first = 0; first < ends.length - 1; first += rows) {
    const body = file.subarray(ends[first], ends[Math.min(first + rows, ends.length - 1)])
    const part = new Uint8Array(heading.length + body.length)
    part.set(heading)
    part.set(body, heading.length)
    parts.push(part)
  }
  return parts
}
