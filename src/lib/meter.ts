import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** A stream that passes its content on unchanged, and measures it. */
export interface Meter {
  stream: Transform
  /** Bytes so far. */
  bytes(): number
  /** Hash of the content in hex. Call it once, at the end. */
  sha256(): string
}

export function createMeter(): Meter {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, bytes: () => bytes, sha256: () => hash.digest('hex') }
}
