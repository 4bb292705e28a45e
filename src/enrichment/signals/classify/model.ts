import { readFileSync } from 'node:fs'
import type { SignalType } from '../../../contract/companies.ts'
import { SIGNAL_TYPES } from '../../../contract/companies.ts'
import type { StoryText } from './features.ts'
import { featuresOf } from './features.ts'
import type { Network, NetworkWeights } from './network.ts'
import { decodeNetwork, networkInput, networkScores } from './network.ts'

/** A signal type, or `none` for a story without a signal. */
export type StoryType = SignalType | 'none'

export const STORY_TYPES: readonly StoryType[] = [...SIGNAL_TYPES, 'none']

/** The weights of the regression in hundredths. Each feature has a row with one integer per story type. */
export interface Weights {
  types: readonly StoryType[]
  /** Softmax temperature that calibrates the probabilities of the model. */
  temperature: number
  /** Minimum probability of each type at which a story becomes a signal; 0 for `none`. */
  thresholds: number[]
  bias: number[]
  features: Record<string, number[]>
}

/** A logistic regression and a network, whose log probabilities are averaged. */
export interface Model {
  weights: Weights
  known: ReadonlySet<string>
  /** Without a network, the model consists of the regression only. */
  network?: Network | undefined
}

export function createModel(weights: Weights, network?: Network): Model {
  const known = new Set<string>()
  for (const name of Object.keys(weights.features)) if (name.startsWith('w=')) known.add(name.slice(2))
  return { weights, known, network }
}

/** Returns the probability of each story type. The probabilities add up to 1. */
export function typeProbabilities(model: Model, story: StoryText): Map<StoryType, number> {
  const { types, temperature } = model.weights
  const logs = logProbabilities(regressionScores(model, story))
  const others = model.network
    ? logProbabilities(networkScores(model.network, networkInput(story, model.known), types.length))
    : logs
  const odds = logs.map((log, at) => Math.exp((log + (others[at] as number)) / 2 / temperature))
  const sum = odds.reduce((total, one) => total + one, 0)
  return new Map(types.map((type, index) => [type, (odds[index] as number) / sum]))
}

function regressionScores({ weights, known }: Model, story: StoryText): Float64Array {
  const scores = Float64Array.from(weights.bias, (value) => value / 100)
  for (const [name, value] of featuresOf(story, known)) {
    const row = Object.hasOwn(weights.features, name) ? weights.features[name] : undefined
    if (row)
      for (const [index, weight] of row.entries()) scores[index] = (scores[index] as number) + (weight * value) / 100
  }
  return scores
}

function logProbabilities(scores: Float64Array): Float64Array {
  const highest = Math.max(...scores)
  const sum = scores.reduce((total, score) => total + Math.exp(score - highest), 0)
  return scores.map((score) => score - highest - Math.log(sum))
}

let committed: Model | undefined

/** Returns the trained model, loaded on first use. */
export function signalModel(): Model {
  committed ??= createModel(
    read<Weights>('./weights.json'),
    decodeNetwork(read<NetworkWeights>('./weights-network.json')),
  )
  return committed
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T
