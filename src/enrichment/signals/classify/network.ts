import { readSymbols } from '../text/symbols.ts'
import type { Token } from '../text/tokens.ts'
import { tokenize, withoutDateline } from '../text/tokens.ts'
import { WORD_CLASSES } from '../text/word-classes.ts'
import type { StoryText } from './features.ts'
import { DIMENSIONS, wordVectors } from './word-vectors.ts'

/**
 * A convolutional network. Each filter scores all sequences of three tokens by their word vectors and labels, and
 * passes on its highest score. Separate filters read the headline and the lead.
 */
export interface Network {
  headline: Filters
  lead: Filters
  /** Weights of the highest scores, by filter and type, and a bias per type. */
  output: Float32Array
}

export interface Filters {
  count: number
  /** For each of three positions the weights of a vector's values, then of labels, then a bias, by filter. */
  weights: Float32Array
}

/** The network as stored in a file: 16-bit integers in base64, in units of `1 / UNIT`. */
export interface NetworkWeights {
  headline: string
  lead: string
  output: string
}

const UNIT = 4096
const HEADLINE_TOKENS = 24
const LEAD_TOKENS = 30
const POSITIONS = 3
/** Numbers per token: the row of its vector (or -1), its label, and whether it is capitalized. */
export const PER_TOKEN = 3

const LABELS = [
  ...['_', 'ENT', 'word', 'PERSON', '#money', '#major', '#percent', '#quarter', '#version', '#year', '#num'],
  ...WORD_CLASSES.map(({ label }) => label),
]
const labelNumbers = new Map(LABELS.map((label, at) => [label, at]))
const WORD = labelNumbers.get('word') as number
const CAPITAL = LABELS.length
const PER_POSITION = DIMENSIONS + LABELS.length + 1
/** Number of weights per filter. */
export const PER_FILTER = POSITIONS * PER_POSITION + 1

/** A story as input for the network. */
export interface NetworkInput {
  headline: Int32Array
  lead: Int32Array
}

export function networkInput({ headline, lead }: StoryText, known: ReadonlySet<string>): NetworkInput {
  return {
    headline: encode(tokenize(headline).slice(0, HEADLINE_TOKENS), known),
    lead: encode(lead ? tokenize(withoutDateline(lead)).slice(0, LEAD_TOKENS) : [], known),
  }
}

function encode(tokens: Token[], known: ReadonlySet<string>): Int32Array {
  const { rows } = wordVectors()
  const { labels } = readSymbols(tokens, known)
  const numbers = tokens.flatMap(({ key, capital }, at) => [
    rows.get(key) ?? -1,
    labelNumbers.get(labels[at] as string) ?? WORD,
    Number(capital),
  ])
  return Int32Array.from(numbers)
}

/** Writes the highest score of each filter to `best`, from `offset`, and the token with this score to `where`. */
export function applyFilters(
  { count, weights }: Filters,
  tokens: Int32Array,
  best: Float32Array,
  where: Int32Array,
  offset: number,
): void {
  const length = tokens.length / PER_TOKEN
  const bias = weights.subarray(POSITIONS * PER_POSITION * count)
  const scores = new Float32Array(length * count)
  for (let at = 0; at < length; at += 1) scores.set(bias, at * count)
  for (let token = 0; token < length; token += 1)
    for (let position = 0; position < POSITIONS; position += 1) {
      const at = token + 1 - position
      if (at >= 0 && at < length) addToken(scores, at * count, { count, weights }, tokens, token, position)
    }
  for (let filter = 0; filter < count; filter += 1) {
    let highest = 0
    let found = -1
    for (let at = 0; at < length; at += 1)
      if ((scores[at * count + filter] as number) > highest) {
        highest = scores[at * count + filter] as number
        found = at
      }
    best[offset + filter] = highest
    where[offset + filter] = found
  }
}

/** Adds the inputs of one token to the scores of a sequence. Most of the time of the classifier is spent here. */
function addToken(
  scores: Float32Array,
  base: number,
  { count, weights }: Filters,
  tokens: Int32Array,
  token: number,
  position: number,
): void {
  const { values } = wordVectors()
  const start = position * PER_POSITION
  const vector = (tokens[token * PER_TOKEN] as number) * DIMENSIONS
  const label = (start + DIMENSIONS + (tokens[token * PER_TOKEN + 1] as number)) * count
  const capital = (start + DIMENSIONS + CAPITAL) * count
  const isCapital = tokens[token * PER_TOKEN + 2] as number
  for (let filter = 0; filter < count; filter += 1)
    scores[base + filter] =
      (scores[base + filter] as number) +
      (weights[label + filter] as number) +
      isCapital * (weights[capital + filter] as number)
  if (vector < 0) return
  for (let at = 0; at < DIMENSIONS; at += 4) {
    const row = (start + at) * count
    const a = values[vector + at] as number
    const b = values[vector + at + 1] as number
    const c = values[vector + at + 2] as number
    const d = values[vector + at + 3] as number
    for (let filter = 0; filter < count; filter += 1)
      scores[base + filter] =
        (scores[base + filter] as number) +
        a * (weights[row + filter] as number) +
        b * (weights[row + count + filter] as number) +
        c * (weights[row + 2 * count + filter] as number) +
        d * (weights[row + 3 * count + filter] as number)
  }
}

/** Calls `use` for each input of one token at a position of a sequence. */
function forInputsOf(
  tokens: Int32Array,
  token: number,
  position: number,
  use: (input: number, value: number) => void,
): void {
  const { values } = wordVectors()
  const start = position * PER_POSITION
  const row = tokens[token * PER_TOKEN] as number
  use(start + DIMENSIONS + (tokens[token * PER_TOKEN + 1] as number), 1)
  if (tokens[token * PER_TOKEN + 2] === 1) use(start + DIMENSIONS + CAPITAL, 1)
  if (row < 0) return
  for (let at = 0; at < DIMENSIONS; at += 1) use(start + at, values[row * DIMENSIONS + at] as number)
}

/** Calls `use` for each input of the sequence of three tokens around `at`. */
export function forInputsAround(tokens: Int32Array, at: number, use: (input: number, value: number) => void): void {
  for (let position = 0; position < POSITIONS; position += 1) {
    const token = at - 1 + position
    if (token >= 0 && token < tokens.length / PER_TOKEN) forInputsOf(tokens, token, position, use)
  }
}

/** Returns the score of each type from the highest scores of the filters. */
export function scoreOutputs({ output, headline, lead }: Network, best: Float32Array, types: number): Float64Array {
  const filters = headline.count + lead.count
  const scores = Float64Array.from(output.subarray(filters * types))
  for (let filter = 0; filter < filters; filter += 1) {
    const value = best[filter] as number
    if (value === 0) continue
    for (let type = 0; type < types; type += 1)
      scores[type] = (scores[type] as number) + value * (output[filter * types + type] as number)
  }
  return scores
}

/** Returns the network's score of each type. */
export function networkScores(network: Network, input: NetworkInput, types: number): Float64Array {
  const filters = network.headline.count + network.lead.count
  const best = new Float32Array(filters)
  const where = new Int32Array(filters)
  applyFilters(network.headline, input.headline, best, where, 0)
  applyFilters(network.lead, input.lead, best, where, network.headline.count)
  return scoreOutputs(network, best, types)
}

export function decodeNetwork({ headline, lead, output }: NetworkWeights): Network {
  const filtersOf = (text: string): Filters => {
    const weights = decodeNumbers(text)
    return { count: weights.length / PER_FILTER, weights }
  }
  return { headline: filtersOf(headline), lead: filtersOf(lead), output: decodeNumbers(output) }
}

function decodeNumbers(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2) / UNIT)
}

export function encodeNetwork({ headline, lead, output }: Network): NetworkWeights {
  return {
    headline: encodeNumbers(headline.weights),
    lead: encodeNumbers(lead.weights),
    output: encodeNumbers(output),
  }
}

function encodeNumbers(values: Float32Array): string {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries())
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value * UNIT))), at * 2)
  return bytes.toString('base64')
}
