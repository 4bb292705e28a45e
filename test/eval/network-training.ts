import { mulberry32 } from '../../src/demo/seeded-random.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'
import type { Filters, Network, NetworkInput } from '../../src/enrichment/signals/classify/network.ts'
import {
  applyFilters,
  forInputsAround,
  networkInput,
  PER_FILTER,
  PER_TOKEN,
  scoreOutputs,
} from '../../src/enrichment/signals/classify/network.ts'
import type { TrainingHeadline } from './signal-training.ts'
import { headlineWeight, titleCase } from './signal-training.ts'

export interface NetworkOptions {
  epochs: number
  headlineFilters: number
  leadFilters: number
}

const DEFAULTS: NetworkOptions = { epochs: 12, headlineFilters: 256, leadFilters: 96 }
const BATCH = 32
const RATE = 0.002
/** Shares of filters, tokens and leads that are left out at random, so that the network does not depend on any one. */
const DROPPED_FILTERS = 0.5
const DROPPED_TOKENS = 0.1
const DROPPED_LEADS = 0.3
/** Probability that a label is wrong. */
const WRONG_LABELS = 0.05
const SEED = 20_261_124
const TYPES = STORY_TYPES.length

/** Weights with the running means that Adam keeps. */
interface Parameters {
  weights: Float32Array
  gradient: Float32Array
  mean: Float32Array
  spread: Float32Array
}

/** Trains the network with Adam on small batches. Deterministic. */
export function trainNetwork(
  gold: readonly TrainingHeadline[],
  known: ReadonlySet<string>,
  { epochs, headlineFilters, leadFilters }: NetworkOptions = DEFAULTS,
): Network {
  const random = mulberry32(SEED)
  const filters = headlineFilters + leadFilters
  const headline = initialize(PER_FILTER * headlineFilters, headlineFilters, 0.08, random)
  const lead = initialize(PER_FILTER * leadFilters, leadFilters, 0.06, random)
  const output = initialize((filters + 1) * TYPES, TYPES, 0.1, random)
  const network: Network = {
    headline: { count: headlineFilters, weights: headline.weights },
    lead: { count: leadFilters, weights: lead.weights },
    output: output.weights,
  }
  const examples = gold.map((story) => ({
    spellings: [story.headline, titleCase(story.headline)].map((one) =>
      networkInput({ ...story, headline: one }, known),
    ),
    label: STORY_TYPES.indexOf(story.type),
    weight: headlineWeight(story),
  }))
  const scale = examples.reduce((sum, { weight }) => sum + weight, 0) / examples.length
  const [best, where] = [new Float32Array(filters), new Int32Array(filters)]
  const steps = epochs * Math.floor(examples.length / BATCH)
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(examples, random)
    for (let start = 0; start + BATCH <= examples.length; start += BATCH) {
      for (const { spellings, label, weight } of examples.slice(start, start + BATCH)) {
        const input = thinned(spellings[random() < 0.5 ? 0 : 1] as NetworkInput, random)
        applyFilters(network.headline, input.headline, best, where, 0)
        applyFilters(network.lead, input.lead, best, where, headlineFilters)
        for (let filter = 0; filter < filters; filter += 1)
          best[filter] = random() < DROPPED_FILTERS ? 0 : (best[filter] as number) / (1 - DROPPED_FILTERS)
        const errors = errorsOf(scoreOutputs(network, best, TYPES), label, weight / scale / BATCH)
        const back = passBack(output, best, errors, filters)
        learn(headline.gradient, network.headline, input.headline, back, where, 0)
        learn(lead.gradient, network.lead, input.lead, back, where, headlineFilters)
      }
      step += 1
      for (const parameters of [headline, lead, output]) update(parameters, step, RATE * (1 - step / (steps + 1)))
    }
  }
  return network
}

/** Returns normally distributed weights, and zeros for the bias at the end. */
function initialize(size: number, bias: number, deviation: number, random: () => number): Parameters {
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6)
  const weights = Float32Array.from({ length: size }, (_, at) => (at < size - bias ? normal() * deviation : 0))
  return {
    weights,
    gradient: new Float32Array(size),
    mean: new Float32Array(size),
    spread: new Float32Array(size),
  }
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other] as T, list[at] as T]
  }
}

/** Returns the story without some of its tokens, and sometimes without its lead. */
function thinned({ headline, lead }: NetworkInput, random: () => number): NetworkInput {
  const thin = (tokens: Int32Array) => {
    const left = tokens.slice()
    for (let at = 0; at < left.length; at += PER_TOKEN)
      if (random() < DROPPED_TOKENS) {
        left[at] = -1
        left[at + 1] = 0
      }
    return left
  }
  return { headline: thin(headline), lead: random() < DROPPED_LEADS ? new Int32Array() : thin(lead) }
}

/** Returns the derivative of the log loss with respect to the score of each type. */
function errorsOf(scores: Float64Array, label: number, weight: number): Float64Array {
  const highest = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - highest))
  const sum = odds.reduce((total, one) => total + one, 0)
  return odds.map(
    (value, type) => (value / sum - (type === label ? 1 - WRONG_LABELS : WRONG_LABELS / (TYPES - 1))) * weight,
  )
}

/** Adds to the gradient of the output weights, and returns the derivative with respect to the score of each filter. */
function passBack(
  { weights, gradient }: Parameters,
  best: Float32Array,
  errors: Float64Array,
  filters: number,
): Float64Array {
  const back = new Float64Array(filters)
  for (let filter = 0; filter <= filters; filter += 1) {
    const value = filter < filters ? (best[filter] as number) : 1
    if (value === 0) continue
    let sum = 0
    for (let type = 0; type < TYPES; type += 1) {
      const [at, error] = [filter * TYPES + type, errors[type] as number]
      sum += error * (weights[at] as number)
      gradient[at] = (gradient[at] as number) + error * value
    }
    if (filter < filters) back[filter] = sum / (1 - DROPPED_FILTERS)
  }
  return back
}

/** Adds to the gradient of the filters. Only the sequence with the highest score of a filter counts. */
function learn(
  gradient: Float32Array,
  { count }: Filters,
  tokens: Int32Array,
  back: Float64Array,
  where: Int32Array,
  offset: number,
): void {
  const bias = (PER_FILTER - 1) * count
  for (let filter = 0; filter < count; filter += 1) {
    const error = back[offset + filter] as number
    const at = where[offset + filter] as number
    if (error === 0 || at < 0) continue
    gradient[bias + filter] = (gradient[bias + filter] as number) + error
    forInputsAround(tokens, at, (input, value) => {
      const cell = input * count + filter
      gradient[cell] = (gradient[cell] as number) + error * value
    })
  }
}

function update({ weights, gradient, mean, spread }: Parameters, step: number, rate: number): void {
  const [unbiasedMean, unbiasedSpread] = [1 - 0.9 ** step, 1 - 0.999 ** step]
  for (let at = 0; at < weights.length; at += 1) {
    const slope = gradient[at] as number
    gradient[at] = 0
    mean[at] = 0.9 * (mean[at] as number) + 0.1 * slope
    spread[at] = 0.999 * (spread[at] as number) + 0.001 * slope * slope
    weights[at] =
      (weights[at] as number) -
      (rate * ((mean[at] as number) / unbiasedMean)) / (Math.sqrt((spread[at] as number) / unbiasedSpread) + 1e-6)
  }
}
