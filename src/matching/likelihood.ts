import { readFileSync } from 'node:fs'
import type { Candidate, Query } from './candidate.ts'
import type { Comparison, Feature, Features, Rarity } from './features.ts'
import { compare } from './features.ts'

/** Content of `weights.json`, which `npm run generate -- match-weights` writes. */
export interface MatchWeights {
  /** Minimum likelihood of a match, and of a doubtful match. */
  matched: number
  doubtful: number
  /** Weight of each feature in the log odds. */
  weights: Record<Feature, number>
  /** Number of names on which the rarities are based. */
  names: number
  /** Number of names that contain each word. Words in fewer than three names are omitted. */
  words: Record<string, number>
}

export const WEIGHTS = JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as MatchWeights

/** Computes rarity from word counts. An unknown word is treated as occurring in one name. */
export const rarityOf =
  ({ names, words }: Pick<MatchWeights, 'names' | 'words'>): Rarity =>
  (word) =>
    Math.log(names / (Object.hasOwn(words, word) ? (words[word] as number) : 1))

const rarity = rarityOf(WEIGHTS)

export interface Scored extends Comparison {
  candidate: Candidate
  likelihood: number
}

/**
 * Compares a query with all candidates. At most one candidate is the requested company, so the likelihoods of all
 * candidates and the likelihood of no match (odds of 1) add up to 1. Two candidates that match equally well each have a
 * likelihood of at most one half.
 */
export function scoreCandidates(query: Query, candidates: readonly Candidate[], weights = WEIGHTS.weights): Scored[] {
  const scored = candidates.map((candidate) => ({ candidate, ...compare(query, candidate, rarity) }))
  const odds = scored.map(({ features }) => Math.exp(Math.min(50, logOdds(features, weights))))
  const total = odds.reduce((sum, one) => sum + one, 1)
  return scored
    .map((one, index) => ({ ...one, likelihood: (odds[index] as number) / total }))
    .toSorted((a, b) => b.likelihood - a.likelihood)
}

export const logOdds = (features: Features, weights: Readonly<Record<Feature, number>>): number =>
  Object.entries(features).reduce((sum, [name, value]) => sum + value * weights[name as Feature], 0)
