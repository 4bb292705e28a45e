import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** A pass-through stream that counts and hashes its content. */
export interface Meter {
  stream: Transform
  /** Returns the number of bytes so far. */
  bytes(): number
  /** Returns the hash of the content in hex. Call this method once, after the end of the stream. */
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
