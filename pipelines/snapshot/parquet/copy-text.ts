import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Cells } from '../rows.ts'

/** Reads COPY's text format and yields the rows of each chunk. */
export async function* readCopyText(stream: Readable): AsyncGenerator<Cells[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() as string
    yield lines.map((line) => line.split('\t').map(readCell))
  }
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function readCell(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\') ? text.replace(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? character) : text
}
