import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { BUCKETS, featuresOf } from './features.ts'

/** Kinds of short texts on a page. */
export const TEXT_KINDS = ['name', 'title', 'other'] as const

export type TextKind = (typeof TEXT_KINDS)[number]

/** Probability of each kind. The probabilities add up to one. */
export type KindProbabilities = Readonly<Record<TextKind, number>>

/**
 * The model file that `npm run generate -- text-kinds` writes. Weights are signed bytes, ordered by bucket and kind.
 * The biases are last.
 */
export interface TextKindWeights {
  /** Scale of the weights: the value that one step represents. */
  step: number
  /** Softmax temperature, calibrated on texts in languages that the training data does not contain. */
  temperature: number
  /** The weights, base64-encoded. */
  weights: string
}

export function createTextModel({ step, temperature, weights }: TextKindWeights): (text: string) => KindProbabilities {
  const bytes = Buffer.from(weights, 'base64')
  const table = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = (row: number, kind: number): number => table[row * TEXT_KINDS.length + kind] as number
  return (text) => {
    const rows = featuresOf(text)
    const [name, title, other] = TEXT_KINDS.map((_, kind) => {
      const sum = rows.reduce((total, row) => total + at(row, kind), 0)
      return Math.exp(((sum / Math.sqrt(rows.length + 1) + at(BUCKETS, kind)) * step) / temperature)
    }) as [number, number, number]
    const total = name + title + other
    return { name: name / total, title: title / total, other: other / total }
  }
}

const model = createTextModel(
  JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as TextKindWeights,
)
const recent = new LRUCache<string, KindProbabilities>({ max: 5000 })

/** Classifies a text as a person's name, a job title or other text, based on its letters and shape. */
export function classifyText(text: string): KindProbabilities {
  const known = recent.get(text)
  if (known) return known
  const kinds = model(text)
  recent.set(text, kinds)
  return kinds
}
