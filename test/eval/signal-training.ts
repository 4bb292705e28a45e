import { featuresOf } from '../../src/enrichment/signals/features.ts'
import type { Weights } from '../../src/enrichment/signals/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/model.ts'
import { EVENT_CLASSES, readSymbols } from '../../src/enrichment/signals/symbols.ts'
import { tokenize } from '../../src/enrichment/signals/tokens.ts'
import type { GoldHeadline } from './gold-headlines.ts'
import type { Example } from './logistic-regression.ts'
import { trainLogisticRegression } from './logistic-regression.ts'

export interface SignalTrainOptions {
  l2: number
  iterations: number
  /** Features seen in fewer headlines than this are left out: mostly accidents of the set. */
  minCount: number
}

export const SIGNAL_TRAINING: SignalTrainOptions = { l2: 0.5, iterations: 250, minCount: 2 }

/** Trains on labelled headlines: each as headline alone, unless it says nothing by itself, and once more with its lead
 * where it has one. */
export function trainSignalWeights(gold: GoldHeadline[], options = SIGNAL_TRAINING): Weights {
  const known = knownStems(gold, options.minCount)
  const rows = gold.flatMap((story) => {
    const label = STORY_TYPES.indexOf(story.type)
    const tells = readSymbols(tokenize(story.headline), known).symbols.some((symbol) => EVENT_CLASSES.has(symbol))
    const alone = { features: featuresOf({ headline: story.headline }, known), label, weight: story.lead ? 0.5 : 1 }
    if (!story.lead) return [alone]
    const led = { features: featuresOf(story, known), label, weight: tells ? 0.5 : 1 }
    return tells ? [alone, led] : [led]
  })
  const counts = new Map<string, number>()
  for (const { features, weight } of rows)
    for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + weight)
  const names = [...counts].filter(([, count]) => count >= options.minCount).map(([name]) => name)
  const index = new Map(names.map((name, at) => [name, at]))
  const examples: Example[] = rows.map(({ features, label, weight }) => {
    const kept = [...features].filter(([name]) => index.has(name))
    return {
      indices: Int32Array.from(kept, ([name]) => index.get(name) as number),
      values: Float64Array.from(kept, ([, value]) => value),
      label,
      weight,
    }
  })
  const classes = STORY_TYPES.length
  const trained = trainLogisticRegression(examples, {
    features: names.length,
    classes,
    l2: options.l2,
    iterations: options.iterations,
  })
  const row = (at: number) =>
    Array.from(trained.slice(at * classes, (at + 1) * classes), (weight) => Math.round(weight * 100))
  const features: Weights['features'] = {}
  for (const name of names.toSorted()) {
    const weights = row(index.get(name) as number)
    if (name.startsWith('w=') || weights.some((weight) => Math.abs(weight) > 2)) features[name] = weights
  }
  return { types: STORY_TYPES, temperature: 1, bias: row(names.length), features }
}

/** Stems that are words, not names: seen in lower case somewhere, and often enough. */
function knownStems(gold: GoldHeadline[], minCount: number): Set<string> {
  const counts = new Map<string, number>()
  const lower = new Set<string>()
  for (const story of gold) {
    const { symbols, stems } = readSymbols(tokenize(`${story.headline} ${story.lead ?? ''}`), null)
    for (const stem of stems.filter((one) => !one.startsWith('#'))) counts.set(stem, (counts.get(stem) ?? 0) + 1)
    for (const symbol of symbols) if (!symbol.startsWith('^')) lower.add(symbol)
  }
  return new Set([...counts].filter(([stem, count]) => count >= minCount && lower.has(stem)).map(([stem]) => stem))
}
