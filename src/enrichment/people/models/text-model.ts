import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { BUCKETS, featuresOf } from './text-features.ts'

/** A model file that `npm run generate -- people` writes. Weights are signed bytes, ordered by bucket and class, biases last. */
export interface TextWeights {
  /** Scale of the weights: the value that one step represents. */
  step: number
  /** Softmax temperature, calibrated on texts in languages that the training data does not contain. */
  temperature: number
  /** The weights, base64-encoded. */
  weights: string
}

/** Probability of each class. The probabilities add up to one. */
export type Probabilities<Class extends string> = Readonly<Record<Class, number>>

/** Returns a multinomial classifier of short texts by their letters and shape. */
export function createTextModel<Class extends string>(
  classes: readonly Class[],
  { step, temperature, weights }: TextWeights,
): (text: string) => Probabilities<Class> {
  const bytes = Buffer.from(weights, 'base64')
  const table = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = classes.length
  const recent = new LRUCache<string, Probabilities<Class>>({ max: 20_000 })
  return (text) => {
    const known = recent.get(text)
    if (known) return known
    const rows = featuresOf(text)
    const scale = step / Math.sqrt(rows.length + 1) / temperature
    const odds = classes.map((_, column) => {
      const sum = rows.reduce((total, row) => total + (table[row * width + column] as number), 0)
      return Math.exp(sum * scale + ((table[BUCKETS * width + column] as number) * step) / temperature)
    })
    const total = odds.reduce((sum, one) => sum + one, 0)
    const found = Object.fromEntries(classes.map((name, column) => [name, (odds[column] as number) / total]))
    recent.set(text, found as Probabilities<Class>)
    return found as Probabilities<Class>
  }
}

/** Reads a model's weights from this folder. */
export const readWeights = <Weights>(file: string): Weights =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Weights
