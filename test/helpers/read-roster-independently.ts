import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

/**
 * Reads a zipped roster without talhouse's code or its libraries. Returns rows keyed by heading, with unchanged cells.
 */
export function readRosterIndependently(path: string): Record<string, string>[] {
  const text = new TextDecoder('windows-1252').decode(unzipOnlyMember(readFileSync(path)))
  const [headings = [], ...rows] = text.split('\r\n').filter(Boolean).map(splitQuoted)
  return rows.map((cells) => Object.fromEntries(headings.map((heading, index) => [heading, cells[index] ?? ''])))
}

function unzipOnlyMember(zip: Buffer): Buffer {
  const directory = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006') + 16)
  const packed = zip.readUInt32LE(directory + 20)
  const local = zip.readUInt32LE(directory + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  return inflateRawSync(zip.subarray(start, start + packed))
}

function splitQuoted(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] as string
    if (quoted && character === '"' && line[index + 1] === '"') {
      cell += '"'
      index += 1
    } else if (character === '"') quoted = !quoted
    else if (character === ',' && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
}
