import { featuresOf } from '../../src/enrichment/signals/classify/features.ts'
import type { Weights } from '../../src/enrichment/signals/classify/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'
import { readSymbols } from '../../src/enrichment/signals/text/symbols.ts'
import { tokenize } from '../../src/enrichment/signals/text/tokens.ts'
import { EVENT_CLASSES } from '../../src/enrichment/signals/text/word-classes.ts'
import type { GoldHeadline } from './gold-headlines.ts'
import type { Example } from './logistic-regression.ts'
import { trainLogisticRegression } from './logistic-regression.ts'

export interface SignalTrainOptions {
  l2: number
  iterations: number
  /** Minimum number of headlines with a stem; rarer stems count as unseen words. */
  minCount: number
}

export const SIGNAL_TRAINING: SignalTrainOptions = { l2: 0.5, iterations: 150, minCount: 2 }

/**
 * Threshold in hundredths. Features whose weights do not exceed it for any type are dropped, which shrinks the file by
 * two thirds without loss of accuracy.
 */
const NEGLIGIBLE = 10

/** Weight of headlines that are not signals, which are more frequent in newsrooms than in the training set. */
const NONE_WEIGHT = 2.6

/**
 * Trains on labeled headlines as written and in title case, because newswires capitalize headlines and the press does
 * not. Each headline is used with its lead and, unless it is meaningless on its own, also without the lead.
 */
export function trainSignalWeights(gold: GoldHeadline[], options = SIGNAL_TRAINING): Weights {
  const known = knownStems(gold, options.minCount)
  const rows = gold.flatMap((story) => spellings(story).flatMap((spelling) => rowsOf(spelling, known)))
  const names = [...new Set(rows.flatMap(({ features }) => [...features.keys()]))]
  const index = new Map(names.map((name, at) => [name, at]))
  const examples: Example[] = rows.map(({ features, label, weight }) => ({
    indices: Int32Array.from(features.keys(), (name) => index.get(name) as number),
    values: Float64Array.from(features.values()),
    label,
    weight,
  }))
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
    if (name.startsWith('w=') || weights.some((weight) => Math.abs(weight) > NEGLIGIBLE)) features[name] = weights
  }
  return { types: STORY_TYPES, temperature: 1, bias: row(names.length), features }
}

interface Row {
  features: Map<string, number>
  label: number
  weight: number
}

function rowsOf({ story, weight }: { story: GoldHeadline; weight: number }, known: ReadonlySet<string>): Row[] {
  const label = STORY_TYPES.indexOf(story.type)
  const full = story.type === 'none' ? weight * NONE_WEIGHT : weight
  const features = featuresOf({ headline: story.headline }, known)
  if (!story.lead) return [{ features, label, weight: full }]
  const tells = readSymbols(tokenize(story.headline), known).symbols.some((symbol) => EVENT_CLASSES.has(symbol))
  const led = { features: featuresOf(story, known), label, weight: tells ? full / 2 : full }
  return tells ? [{ features, label, weight: full / 2 }, led] : [led]
}

/** Returns a headline as written and in title case. */
function spellings(story: GoldHeadline): { story: GoldHeadline; weight: number }[] {
  const headline = story.headline.replace(/\S+/gu, (word, at: number) =>
    at > 0 && SMALL_WORDS.has(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1),
  )
  if (headline === story.headline) return [{ story, weight: 1 }]
  return [
    { story, weight: 0.5 },
    { story: { ...story, headline }, weight: 0.5 },
  ]
}

const SMALL_WORDS = new Set('a an and as at by for from in into of on or the to with'.split(' '))

/** Stems of words that occur in lower case and often enough; other words are treated as names. */
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
