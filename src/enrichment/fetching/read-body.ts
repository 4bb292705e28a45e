import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** Thrown when a body is larger than allowed: packed on the wire or unpacked. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** Thrown when a body is packed in a way that was not asked for. */
export class UnknownEncoding extends Error {
  override readonly name = 'UnknownEncoding'
}

export const ACCEPTED_ENCODINGS = 'gzip, br'

const UNPACKERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
  zstd: createZstdDecompress,
}
/** A server that packs a body more than twice is playing. */
const MAX_LAYERS = 2

/**
 * Reads a response body to its end, unpacked. Stops at `maxBytes`, counted while streaming on both sides of the unpacker, so that
 * a small bomb never becomes large; with `cutOff` what came so far is the body. Destroys the source in every case.
 */
export async function readBody(
  source: Readable,
  contentEncoding: string,
  maxBytes: number,
  signal: AbortSignal,
  cutOff = false,
): Promise<Buffer> {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse()
  const stages = layers.map((name) => UNPACKERS[name])
  if (stages.length > MAX_LAYERS || stages.includes(undefined)) {
    source.on('error', () => {}).destroy()
    throw new UnknownEncoding(`content encoding ${contentEncoding}`)
  }
  const unpackers = stages.map((create) => (create as () => Transform)())
  const last = unpackers.at(-1) ?? source
  // The first error is what the loop below throws; the streams behind it are ended by the pipeline.
  if (unpackers.length > 0) pipeline([source, ...unpackers], () => {})
  const stop = (): void => void last.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let size = 0
  try {
    signal.throwIfAborted()
    for await (const chunk of last as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes && cutOff) return Buffer.concat([...chunks, chunk]).subarray(0, maxBytes)
      if (size > maxBytes) throw new BodyTooLarge(`larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  } finally {
    signal.removeEventListener('abort', stop)
    source.on('error', () => {}).destroy()
  }
}
