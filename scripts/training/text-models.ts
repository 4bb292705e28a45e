import type { ClassifierWeights } from '../../src/enrichment/classifier/classifier.ts'
import { BUCKETS, featuresOf } from '../../src/enrichment/people/models/text-features.ts'
import { createTextModel } from '../../src/enrichment/people/models/text-model.ts'
import { bestTemperature, trainClassifier } from './classifiers.ts'
import type { Labeled } from './text-examples.ts'

/** Languages held out of the first training and used for calibration. */
const UNSEEN = new Set(['fi', 'hu', 'tr', 'ro', 'el', 'lv', 'sl'])
const OPTIONS = { features: BUCKETS, l2: 0.3, iterations: 60 }

/**
 * Trains a model on all examples. If no temperature is given, calibrates the model on languages held out of a first
 * training, and prints the accuracy on these languages.
 */
export function trainTextModel<Kind extends string>(
  kinds: readonly Kind[],
  examples: readonly Labeled<Kind>[],
  temperature?: number,
): ClassifierWeights {
  if (temperature !== undefined) return { ...train(kinds, examples), temperature }
  const unseen = examples.filter(({ language }) => UNSEEN.has(language))
  const first = train(
    kinds,
    examples.filter(({ language }) => !UNSEEN.has(language)),
  )
  const best = bestTemperature((temperature) => lossOf(kinds, { ...first, temperature }, unseen))
  console.log(
    `${examples.length} texts, temperature ${best}; unseen languages: ${shares(kinds, { ...first, temperature: best }, unseen)}`,
  )
  return { ...train(kinds, examples), temperature: best }
}

const train = <Kind extends string>(kinds: readonly Kind[], examples: readonly Labeled<Kind>[]): ClassifierWeights =>
  trainClassifier(
    kinds,
    examples.map(({ text, kind }) => ({ buckets: featuresOf(text), kind })),
    OPTIONS,
  )

function shares<Kind extends string>(
  kinds: readonly Kind[],
  weights: ClassifierWeights,
  examples: readonly Labeled<Kind>[],
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
  weights: ClassifierWeights,
  examples: readonly Labeled<Kind>[],
): number {
  const model = createTextModel(kinds, weights)
  return examples.reduce((sum, { text, kind }) => sum - Math.log(model(text)[kind] + 1e-9), 0) / examples.length
}
