import type { Readable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { createMeter } from '../../src/lib/meter.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Part } from './manifest.ts'
import { RecordSplitter } from './split-records.ts'

export interface TableParts {
  /** Folder for the parts. Ends with `/`. */
  folder: string
  /** The header, written as the first line of every part. */
  header: string
  /** CSV records without a header. */
  records: Readable
  /** Uncompressed size of a part file. */
  partBytes: number
}

/** Streams CSV records through gzip into part files. An empty table gets one part with only the header. */
export async function writeTable(sink: Sink, { folder, header, records, partBytes }: TableParts): Promise<Part[]> {
  const splitter = new RecordSplitter(partBytes)
  const parts: Part[] = []
  const open = (): OpenPart => openPart(sink, `${folder}part-${String(parts.length).padStart(5, '0')}.csv.gz`, header)
  let part: OpenPart | undefined = open()
  try {
    for await (const chunk of records as AsyncIterable<Buffer>) {
      let rest: Buffer | undefined = chunk
      while (rest !== undefined && rest.length > 0) {
        const [here, next] = splitter.split(rest)
        part ??= open()
        await part.write(here)
        if (next !== undefined) {
          parts.push(await part.close())
          part = undefined
        }
        rest = next
      }
    }
    if (part) parts.push(await part.close())
  } catch (error) {
    await part?.abandon(error)
    throw error
  }
  return parts
}

interface OpenPart {
  write(chunk: Buffer): Promise<void>
  close(): Promise<Part>
  abandon(error: unknown): Promise<void>
}

function openPart(sink: Sink, key: string, header: string): OpenPart {
  // The export is CPU-bound. For these rows, compression level 1 is four times as fast as the default, and files are 15
  // % larger.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 256 * 1024 })
  const meter = createMeter()
  const content = new PassThrough()
  const stored = Promise.all([pipeline(gzip, meter.stream, content), sink.write(key, content)])
  stored.catch((error: unknown) => gzip.destroy(error as Error)) // a failed upload stops the writer
  gzip.write(header)
  return {
    async write(chunk) {
      if (!gzip.write(chunk)) await Promise.race([new Promise((done) => gzip.once('drain', done)), stored])
    },
    async close() {
      gzip.end()
      await stored
      return { key, bytes: meter.bytes(), sha256: meter.sha256() }
    },
    async abandon(error) {
      gzip.destroy(error as Error)
      await Promise.allSettled([stored, finished(gzip)])
    },
  }
}
