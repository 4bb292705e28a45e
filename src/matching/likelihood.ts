import { readFileSync } from 'node:fs'
import type { Candidate, Query } from './candidate.ts'
import type { Comparison, Feature, Features, Rarity } from './features.ts'
import { compare } from './features.ts'

/** The file that `npm run generate -- match-weights` writes. */
export interface MatchWeights {
  /** Likelihood from which a candidate is matched, and the least at which one is doubtful. */
  matched: number
  doubtful: number
  /** Weight of each feature in the logarithm of the odds. */
  weights: Record<Feature, number>
  /** Names that the rarities were counted in. */
  names: number
  /** Names that contain each word; words of fewer than three names are left out. */
  words: Record<string, number>
}

export const WEIGHTS = JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as MatchWeights

/** Rarity of words by their counts; an unknown word is as rare as one of one name. */
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
 * Compares a query with all candidates. At most one candidate is the requested company, so their odds compete with each other and with
 * the odds of 1 that none of them is: two candidates that agree equally get at most one half each.
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
