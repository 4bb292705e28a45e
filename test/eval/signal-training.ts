import { featuresOf } from '../../src/enrichment/signals/classify/features.ts'
import type { Weights } from '../../src/enrichment/signals/classify/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'
import { readSymbols } from '../../src/enrichment/signals/text/symbols.ts'
import { tokenize } from '../../src/enrichment/signals/text/tokens.ts'
import { EVENT_CLASSES } from '../../src/enrichment/signals/text/word-classes.ts'
import type { GoldHeadline } from './gold-headlines.ts'
import type { Example } from './logistic-regression.ts'
import { trainLogisticRegression } from './logistic-regression.ts'

/** A headline for training. Published headlines have a source; invented ones have none. */
export type TrainingHeadline = GoldHeadline & {
  source?: string
  /** The author of an invented story with labeled companies. */
  author?: string
}

const L2 = 1.5
const ITERATIONS = 80
/**
 * Minimum number of invented headlines, or of sources of published headlines, in which a stem or a feature occurs. The
 * weights therefore contain no wording that is specific to one publication.
 */
const MIN_HEADLINES = 2
const MIN_SOURCES = 3
/** Weight of published headlines, and of invented stories with labeled companies, relative to other invented ones. */
const PUBLISHED_WEIGHT = 2
const STORY_WEIGHT = 3

/**
 * Threshold in hundredths. Features whose weights do not exceed it for any type are dropped, which shrinks the file by
 * two thirds without loss of accuracy.
 */
const NEGLIGIBLE = 20

/** Weight of invented headlines that are not signals, which are more frequent in newsrooms than in the training set. */
const NONE_WEIGHT = 1.5

/**
 * Trains on labeled headlines as written and in title case, because newswires capitalize headlines and the press does
 * not. Each headline is used with its lead and, unless it is meaningless on its own, also without the lead.
 */
export function trainSignalWeights(gold: TrainingHeadline[]): Weights {
  const known = knownStems(gold)
  const rows = gold.flatMap((story) => spellings(story).flatMap((spelling) => rowsOf(spelling, known)))
  const frequency = new Frequency()
  for (const { features, story } of rows) for (const name of features.keys()) frequency.add(name, story)
  const names = frequency.frequent()
  const index = new Map(names.map((name, at) => [name, at]))
  const examples: Example[] = rows.map(({ features, label, weight }) => {
    const found = [...features].filter(([name]) => index.has(name))
    return {
      indices: Int32Array.from(found, ([name]) => index.get(name) as number),
      values: Float64Array.from(found, ([, value]) => value),
      label,
      weight,
    }
  })
  const classes = STORY_TYPES.length
  const trained = trainLogisticRegression(examples, {
    features: names.length,
    classes,
    l2: L2,
    iterations: ITERATIONS,
  })
  const row = (at: number) =>
    Array.from(trained.slice(at * classes, (at + 1) * classes), (weight) => Math.round(weight * 100))
  const features: Weights['features'] = {}
  for (const name of names.toSorted()) {
    const weights = row(index.get(name) as number)
    if (name.startsWith('w=') || weights.some((weight) => Math.abs(weight) > NEGLIGIBLE)) features[name] = weights
  }
  return { types: STORY_TYPES, temperature: 1, thresholds: STORY_TYPES.map(() => 0), bias: row(names.length), features }
}

/** Counts the invented headlines and the sources of published headlines in which an item occurs. */
class Frequency {
  readonly #headlines = new Map<string, Set<TrainingHeadline>>()
  readonly #sources = new Map<string, Set<string>>()

  add(item: string, story: TrainingHeadline): void {
    if (story.source === undefined) this.#headlines.set(item, (this.#headlines.get(item) ?? new Set()).add(story))
    else this.#sources.set(item, (this.#sources.get(item) ?? new Set()).add(story.source))
  }

  /** Returns the items that occur often enough, in a stable order. */
  frequent(): string[] {
    return [...new Set([...this.#headlines.keys(), ...this.#sources.keys()])]
      .filter(
        (item) =>
          (this.#headlines.get(item)?.size ?? 0) >= MIN_HEADLINES ||
          (this.#sources.get(item)?.size ?? 0) >= MIN_SOURCES,
      )
      .toSorted()
  }
}

export const headlineWeight = (story: TrainingHeadline): number =>
  story.source ? PUBLISHED_WEIGHT : story.author ? STORY_WEIGHT : story.type === 'none' ? NONE_WEIGHT : 1

interface Row {
  story: TrainingHeadline
  features: Map<string, number>
  label: number
  weight: number
}

function rowsOf({ origin, story, weight }: Spelling, known: ReadonlySet<string>): Row[] {
  const label = STORY_TYPES.indexOf(story.type)
  const full = weight * headlineWeight(story)
  const features = featuresOf({ headline: story.headline }, known)
  if (!story.lead) return [{ story: origin, features, label, weight: full }]
  const tells = readSymbols(tokenize(story.headline), known).symbols.some((symbol) => EVENT_CLASSES.has(symbol))
  const led = { story: origin, features: featuresOf(story, known), label, weight: tells ? full / 2 : full }
  return tells ? [{ story: origin, features, label, weight: full / 2 }, led] : [led]
}

interface Spelling {
  /** The story as written. */
  origin: TrainingHeadline
  story: TrainingHeadline
  weight: number
}

export const titleCase = (headline: string): string =>
  headline.replace(/\S+/gu, (word, at: number) =>
    at > 0 && SMALL_WORDS.has(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1),
  )

/** Returns a headline as written and in title case. */
function spellings(story: TrainingHeadline): Spelling[] {
  const headline = titleCase(story.headline)
  if (headline === story.headline) return [{ origin: story, story, weight: 1 }]
  return [
    { origin: story, story, weight: 0.5 },
    { origin: story, story: { ...story, headline }, weight: 0.5 },
  ]
}

const SMALL_WORDS = new Set('a an and as at by for from in into of on or the to with'.split(' '))

/**
 * Stems of words that occur often enough in stories in which they are written in lower case; other words are treated as
 * names.
 */
function knownStems(gold: TrainingHeadline[]): Set<string> {
  const frequency = new Frequency()
  for (const story of gold) {
    const { labels, stems } = readSymbols(tokenize(`${story.headline} ${story.lead ?? ''}`), null)
    const written = new Set(labels)
    for (const stem of stems)
      if (!stem.startsWith('#') && (written.has(stem) || !written.has(`^${stem}`))) frequency.add(stem, story)
  }
  return new Set(frequency.frequent())
}
