import { readFileSync } from 'node:fs'

/** Number of values per word. */
export const DIMENSIONS = 48
/** One character per value, from the lowest to the highest. */
const SCALE = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-'

/** Vectors of English words; words with similar meanings have similar vectors. */
export interface WordVectors {
  /** The row of each word in `values`. */
  rows: ReadonlyMap<string, number>
  values: Float32Array
}

let loaded: WordVectors | undefined

/** Returns the vectors in `weights-words.json`, loaded on first use. `npm run generate -- word-vectors` writes them. */
export function wordVectors(): WordVectors {
  loaded ??= decode(JSON.parse(readFileSync(new URL('./weights-words.json', import.meta.url), 'utf8')) as never)
  return loaded
}

function decode(codes: Record<string, string>): WordVectors {
  const words = Object.entries(codes)
  const rows = new Map(words.map(([word], row) => [word, row]))
  const values = new Float32Array(words.length * DIMENSIONS)
  for (const [row, [, code]] of words.entries())
    for (let at = 0; at < DIMENSIONS; at += 1)
      values[row * DIMENSIONS + at] = (SCALE.indexOf(code[at] as string) - HALF) / SPREAD
  return { rows, values }
}

const HALF = (SCALE.length - 1) / 2
/** Scales a decoded vector to a length of about 1.5, with which training converges fastest. */
const SPREAD = 35

/** Encodes a vector whose values are between -1 and 1. */
export const encodeVector = (values: readonly number[]): string =>
  values.map((value) => SCALE[Math.max(0, Math.min(SCALE.length - 1, Math.round(value * HALF + HALF)))]).join('')
