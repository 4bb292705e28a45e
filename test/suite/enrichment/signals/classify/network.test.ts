import { expect, test } from 'vitest'
import { STORY_TYPES } from '../../../../../src/enrichment/signals/classify/model.ts'
import {
  decodeNetwork,
  encodeNetwork,
  networkInput,
  networkScores,
} from '../../../../../src/enrichment/signals/classify/network.ts'
import { DIMENSIONS, encodeVector, wordVectors } from '../../../../../src/enrichment/signals/classify/word-vectors.ts'
import { readGoldHeadlines } from '../../../../eval/gold-headlines.ts'
import { trainNetwork } from '../../../../eval/network-training.ts'

const NOTHING: ReadonlySet<string> = new Set()
const some = readGoldHeadlines('train').filter((_, index) => index % 8 === 0)
const train = (epochs: number) => trainNetwork(some, NOTHING, { epochs, headlineFilters: 48, leadFilters: 8 })
const network = train(80)
test('trains the same network from the same headlines', () => {
  expect(encodeNetwork(train(2))).toEqual(encodeNetwork(train(2)))
})

test('learns the types of headlines', () => {
  const right = some.filter((story) => {
    const scores = networkScores(network, networkInput(story, NOTHING), STORY_TYPES.length)
    return STORY_TYPES[scores.indexOf(Math.max(...scores))] === story.type
  })
  expect(right.length / some.length).toBeGreaterThan(0.8)
})

test('keeps the scores of a network that is written and read', () => {
  const read = decodeNetwork(encodeNetwork(network))
  const input = networkInput({ headline: 'Larchwood opens second clinic', lead: 'It is in Leeds.' }, NOTHING)
  const [before, after] = [network, read].map((one) => networkScores(one, input, STORY_TYPES.length))
  for (const [type, score] of (before as Float64Array).entries()) expect(after?.[type]).toBeCloseTo(score, 1)
})

test.each(['', '中文標題', 'a '.repeat(2000)])('scores %.20s', (headline) => {
  const scores = networkScores(network, networkInput({ headline, lead: headline }, NOTHING), STORY_TYPES.length)
  expect([...scores].every(Number.isFinite)).toBe(true)
})

test('gives words with similar meanings similar vectors', () => {
  const { rows, values } = wordVectors()
  const vectorOf = (word: string) => {
    const start = (rows.get(word) as number) * DIMENSIONS
    return values.slice(start, start + DIMENSIONS)
  }
  const similarity = (a: string, b: string) => {
    const [one, other] = [vectorOf(a), vectorOf(b)]
    const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * (y[at] as number), 0)
    return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
  }
  expect(similarity('lawsuit', 'litigation')).toBeGreaterThan(0.6)
  expect(similarity('lawsuit', 'bakery')).toBeLessThan(0.3)
})

test('encodes each value of a vector as one character', () => {
  expect(encodeVector([-1, 0, 1])).toMatch(/^0[VW]-$/u)
})
