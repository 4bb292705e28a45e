import { readFileSync } from 'node:fs'
import type { SignalType } from '../../../contract/companies.ts'
import { SIGNAL_TYPES } from '../../../contract/companies.ts'
import type { StoryText } from './features.ts'
import { featuresOf } from './features.ts'

/** A signal type, or `none` for a story without a signal. */
export type StoryType = SignalType | 'none'

export const STORY_TYPES: readonly StoryType[] = [...SIGNAL_TYPES, 'none']

/** The model's weights in hundredths. Each feature has a row with one integer per story type. */
export interface Weights {
  types: readonly StoryType[]
  /** Softmax temperature that calibrates the probabilities. */
  temperature: number
  bias: number[]
  features: Record<string, number[]>
}

export interface Model {
  weights: Weights
  known: ReadonlySet<string>
}

export function createModel(weights: Weights): Model {
  const known = new Set<string>()
  for (const name of Object.keys(weights.features)) if (name.startsWith('w=')) known.add(name.slice(2))
  return { weights, known }
}

/** Returns the probability of each story type. The probabilities add up to 1. */
export function typeProbabilities(model: Model, story: StoryText): Map<StoryType, number> {
  const { types, bias, features, temperature } = model.weights
  const scores = bias.map((value) => value / 100)
  for (const [name, value] of featuresOf(story, model.known)) {
    const row = Object.hasOwn(features, name) ? features[name] : undefined
    if (row)
      for (const [index, weight] of row.entries()) scores[index] = (scores[index] as number) + (weight * value) / 100
  }
  const highest = Math.max(...scores)
  const odds = scores.map((score) => Math.exp((score - highest) / temperature))
  const sum = odds.reduce((total, one) => total + one, 0)
  return new Map(types.map((type, index) => [type, (odds[index] as number) / sum]))
}

let committed: Model | undefined

/** Returns the trained model in `weights.json`, loaded on first use. */
export function signalModel(): Model {
  committed ??= createModel(JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8')) as Weights)
  return committed
}
