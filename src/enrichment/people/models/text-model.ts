import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { ClassifierWeights, Probabilities } from '../../classifier/classifier.ts'
import { createClassifier } from '../../classifier/classifier.ts'
import { featuresOf } from './text-features.ts'

/** Returns a classifier for short texts that uses their letters and shape. */
export function createTextModel<Class extends string>(
  classes: readonly Class[],
  weights: ClassifierWeights,
): (text: string) => Probabilities<Class> {
  const classify = createClassifier(classes, weights)
  const recent = new LRUCache<string, Probabilities<Class>>({ max: 20_000 })
  return (text) => {
    const known = recent.get(text)
    if (known) return known
    const found = classify(featuresOf(text))
    recent.set(text, found)
    return found
  }
}

/** Reads a model's weights from this directory. `npm run generate -- people` writes the weights. */
export const readWeights = <Weights>(file: string): Weights =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Weights
