import type { ClassifierWeights } from '../../src/enrichment/classifier/classifier.ts'
import type { Example } from '../../test/eval/logistic-regression.ts'
import { trainLogisticRegression } from '../../test/eval/logistic-regression.ts'

/** Hashed features with their class. */
export interface ClassifierExample<Class extends string> {
  buckets: readonly number[]
  kind: Class
  /** One by default. */
  weight?: number
}

interface Options {
  /** Number of buckets. */
  features: number
  l2: number
  iterations: number
}

/** Trains an uncalibrated classifier. Examples of rare classes have a higher weight. */
export function trainClassifier<Class extends string>(
  classes: readonly Class[],
  examples: readonly ClassifierExample<Class>[],
  options: Options,
): ClassifierWeights {
  const total = weightOf(examples)
  const byKind = new Map([...Map.groupBy(examples, ({ kind }) => kind)].map(([kind, list]) => [kind, weightOf(list)]))
  const rows = examples.map(({ buckets, kind, weight = 1 }): Example => {
    const indices = Int32Array.from(buckets)
    return {
      indices,
      values: new Float64Array(indices.length).fill(1 / Math.sqrt(indices.length + 1)),
      label: classes.indexOf(kind),
      weight: weight * Math.sqrt(total / (byKind.get(kind) ?? 1)),
    }
  })
  const weights = trainLogisticRegression(rows, { ...options, classes: classes.length })
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / step))
  return { step, temperature: 1, weights: Buffer.from(bytes.buffer).toString('base64') }
}

const weightOf = (examples: readonly { weight?: number }[]): number =>
  examples.reduce((sum, { weight = 1 }) => sum + weight, 0)

const TEMPERATURES = Array.from({ length: 36 }, (_, place) => Number((0.5 + place * 0.1).toFixed(1)))

/** Returns the temperature with the lowest loss. */
export const bestTemperature = (lossAt: (temperature: number) => number): number =>
  TEMPERATURES.map((temperature) => ({ temperature, loss: lossAt(temperature) })).reduce((best, one) =>
    one.loss < best.loss ? one : best,
  ).temperature
