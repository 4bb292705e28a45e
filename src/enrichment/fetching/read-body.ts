import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** Thrown when a body exceeds the size limit, compressed or decompressed. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** Thrown if the content encoding is not supported. */
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
/** Maximum number of content encodings. Legitimate servers compress a body once, or twice behind a proxy. */
const MAX_LAYERS = 2

/**
 * Reads and decompresses a response body. If the body exceeds `maxBytes`, throws BodyTooLarge or, if `truncate` is set,
 * returns the first `maxBytes`. Counts bytes while streaming, which prevents a decompression bomb from expanding beyond
 * the limit. Always destroys the source.
 */
export async function readBody(
  source: Readable,
  contentEncoding: string,
  maxBytes: number,
  signal: AbortSignal,
  truncate = false,
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
    throw new UnknownEncoding(`in the unsupported content encoding ${contentEncoding}`)
  }
  const unpackers = stages.map((create) => (create as () => Transform)())
  const last = unpackers.at(-1) ?? source
  // The loop below throws the first error. The pipeline destroys the other streams, so its callback is empty.
  if (unpackers.length > 0) pipeline([source, ...unpackers], () => {})
  const stop = (): void => void last.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let size = 0
  try {
    signal.throwIfAborted()
    for await (const chunk of last as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes && truncate) return Buffer.concat([...chunks, chunk]).subarray(0, maxBytes)
      if (size > maxBytes) throw new BodyTooLarge(`larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  } finally {
    signal.removeEventListener('abort', stop)
    source.on('error', () => {}).destroy()
  }
}
