import type { Transform } from 'node:stream'
import { PassThrough } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createMeter } from '../../src/lib/meter.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Part } from './manifest.ts'

/** A part file being written. */
export interface OpenPart {
  /** Writes a chunk, and waits if the sink is slower than the writer. */
  write(chunk: Uint8Array | string): Promise<void>
  close(): Promise<Part>
  abandon(error: unknown): Promise<void>
}

/** The file name of a table's nth part, without extension. */
export const partName = (index: number): string => `part-${String(index).padStart(5, '0')}`

/** Opens a part file. All data passes through the encoder, such as a gzip compressor. */
export function openPart(sink: Sink, key: string, encoder: Transform): OpenPart {
  const meter = createMeter()
  const content = new PassThrough()
  const stored = Promise.all([pipeline(encoder, meter.stream, content), sink.write(key, content)])
  stored.catch((error: unknown) => encoder.destroy(error as Error)) // a failed upload stops the writer
  return {
    async write(chunk) {
      if (!encoder.write(chunk)) await Promise.race([new Promise((done) => encoder.once('drain', done)), stored])
    },
    async close() {
      encoder.end()
      await stored
      return { key, bytes: meter.bytes(), sha256: meter.sha256() }
    },
    async abandon(error) {
      encoder.destroy(error as Error)
      await Promise.allSettled([stored, finished(encoder)])
    },
  }
}
