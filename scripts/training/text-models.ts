import { BUCKETS, featuresOf } from '../../src/enrichment/people/models/text-features.ts'
import type { TextWeights } from '../../src/enrichment/people/models/text-model.ts'
import { createTextModel } from '../../src/enrichment/people/models/text-model.ts'
import type { Example } from '../../test/eval/logistic-regression.ts'
import { trainLogisticRegression } from '../../test/eval/logistic-regression.ts'
import type { Labelled } from './text-examples.ts'

/** Left out to calibrate a model on languages that it does not know. */
const UNSEEN = new Set(['fi', 'hu', 'tr', 'ro', 'el', 'lv', 'sl'])
const TEMPERATURES = Array.from({ length: 36 }, (_, place) => Number((0.5 + place * 0.1).toFixed(1)))

/** Trains a model on all examples, calibrated on languages left out of a first training unless a temperature is given. Prints the share it gets right there. */
export function trainTextModel<Kind extends string>(
  kinds: readonly Kind[],
  examples: readonly Labelled<Kind>[],
  temperature?: number,
): TextWeights {
  if (temperature !== undefined) return { ...train(kinds, examples), temperature }
  const unseen = examples.filter(({ language }) => UNSEEN.has(language))
  const first = train(
    kinds,
    examples.filter(({ language }) => !UNSEEN.has(language)),
  )
  const best = TEMPERATURES.reduce((a, b) =>
    lossOf(kinds, { ...first, temperature: b }, unseen) < lossOf(kinds, { ...first, temperature: a }, unseen) ? b : a,
  )
  console.log(
    `${examples.length} texts, temperature ${best}; unseen languages: ${shares(kinds, { ...first, temperature: best }, unseen)}`,
  )
  return { ...train(kinds, examples), temperature: best }
}

function train<Kind extends string>(kinds: readonly Kind[], examples: readonly Labelled<Kind>[]): TextWeights {
  const counts = Map.groupBy(examples, ({ kind }) => kind)
  const rows = examples.map(({ text, kind }): Example => {
    const indices = Int32Array.from(featuresOf(text))
    return {
      indices,
      values: new Float64Array(indices.length).fill(1 / Math.sqrt(indices.length + 1)),
      label: kinds.indexOf(kind),
      weight: Math.sqrt(examples.length / (counts.get(kind)?.length ?? 1)),
    }
  })
  const weights = trainLogisticRegression(rows, { features: BUCKETS, classes: kinds.length, l2: 0.3, iterations: 60 })
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / step))
  return { step, temperature: 1, weights: Buffer.from(bytes.buffer).toString('base64') }
}

function shares<Kind extends string>(
  kinds: readonly Kind[],
  weights: TextWeights,
  examples: readonly Labelled<Kind>[],
): string {
  const model = createTextModel(kinds, weights)
  return kinds
    .map((kind) => {
      const own = examples.filter((one) => one.kind === kind)
      const right = own.filter(({ text }) => model(text)[kind] > 0.5).length
      return `${kind} ${(right / own.length).toFixed(3)} of ${own.length}`
    })
    .join(', ')
}

function lossOf<Kind extends string>(
  kinds: readonly Kind[],
  weights: TextWeights,
  examples: readonly Labelled<Kind>[],
): number {
  const model = createTextModel(kinds, weights)
  return examples.reduce((sum, { text, kind }) => sum - Math.log(model(text)[kind] + 1e-9), 0) / examples.length
}
