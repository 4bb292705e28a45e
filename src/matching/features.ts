import type { MatchField } from '../contract/match.ts'
import type { Candidate, Query, StoredName } from './candidate.ts'
import { isSameCity, isSameCountry, isSameState } from './compare-places.ts'
import { alignWords, wordSimilarity } from './compare-words.ts'
import { legalForm } from './legal-form.ts'

/** Returns the rarity of a word in company names: ln(N / n) if n of N names contain the word. */
export type Rarity = (word: string) => number

/**
 * The model's features for a query and a candidate. Values are from 0 to 1, except values derived from rarities, which
 * are divided by 10.
 */
export const FEATURES = [
  'bias',
  'name given',
  'query covered',
  'candidate covered',
  'both covered',
  'rarest missing in candidate',
  'rarest missing in query',
  'same words',
  'same words and order',
  'same letters',
  'letters',
  'rarity of common words',
  'rarity of same words',
  'misspelled',
  'other number',
  'same legal form',
  'other legal form',
  'former name',
  'same state',
  'other state',
  'same city',
  'other city',
  'same country',
  'other country',
  'same domain',
  'other domain',
  'same identifier',
  'other identifier',
] as const
export type Feature = (typeof FEATURES)[number]
export type Features = Record<Feature, number>

/** A comparison of a query with one candidate. */
export interface Comparison {
  /** The candidate's name that is most similar to the query's name. */
  matchedName: StoredName | undefined
  agreed: MatchField[]
  disagreed: MatchField[]
  features: Features
}

/** Minimum value of `both covered` for two names to agree. Tolerates a typo and an abbreviation in a short name. */
const NAME_AGREES = 0.6

export function compare(query: Query, candidate: Candidate, rarity: Rarity): Comparison {
  const features = Object.fromEntries(FEATURES.map((name) => [name, 0])) as Features
  features.bias = 1
  const agreed: MatchField[] = []
  const disagreed: MatchField[] = []
  let matchedName: StoredName | undefined
  if (query.name !== undefined && query.words.length > 0) {
    const name = query.name
    const best = candidate.names
      .map((stored) => ({ stored, features: compareNames({ name, words: query.words }, stored, rarity) }))
      .toSorted((a, b) => likeness(b.features) - likeness(a.features))[0]
    features['name given'] = 1
    if (best) {
      matchedName = best.stored
      Object.assign(features, best.features)
      features['former name'] = Number(best.stored.isFormer)
    }
    ;(best && likeness(best.features) >= NAME_AGREES ? agreed : disagreed).push('name')
  }
  for (const [field, same] of compareFields(query, candidate)) {
    ;(same ? agreed : disagreed).push(field)
    features[featureOf(field, same)] = 1
  }
  return { matchedName, agreed, disagreed, features }
}

const likeness = (features: Partial<Features>): number =>
  (features['both covered'] ?? 0) + (features.letters ?? 0) / 100

const featureOf = (field: MatchField, same: boolean): Feature => {
  const name = field === 'lei' || field === 'cik' || field === 'crd_number' ? 'identifier' : field
  return `${same ? 'same' : 'other'} ${name}` as Feature
}

/** Compares the fields that both the query and the candidate have. */
function compareFields(query: Query, candidate: Candidate): [MatchField, boolean][] {
  const fields: [MatchField, boolean | undefined][] = [
    ['domain', both(query.domain, candidate.domain, (one, other) => one === other)],
    ['city', both(query.city, candidate.city, isSameCity)],
    ['state', both(query.state, candidate.state, isSameState)],
    ['country', both(query.country, candidate.country, isSameCountry)],
    ['lei', both(query.lei, candidate.lei, (one, other) => one.toUpperCase() === other.toUpperCase())],
    ['cik', both(query.cik, candidate.cik, (one, other) => digits(one) === digits(other))],
    ['crd_number', both(query.crd_number, candidate.crd_number, (one, other) => one === other)],
  ]
  return fields.flatMap(([field, same]): [MatchField, boolean][] => (same === undefined ? [] : [[field, same]]))
}

const both = <Value>(
  one: Value | undefined,
  other: Value | null,
  isSame: (one: Value, other: Value) => boolean,
): boolean | undefined => (one === undefined || other === null ? undefined : isSame(one, other))

/** Strips leading zeros and other characters, because sources write CIKs with and without leading zeros. */
export const digits = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '')

function compareNames(
  given: { name: string; words: readonly string[] },
  stored: StoredName,
  rarity: Rarity,
): Partial<Features> {
  const { one, other } = alignWords(given.words, stored.words)
  const queryCovered = covered(given.words, one, rarity)
  const candidateCovered = covered(stored.words, other, rarity)
  const isSameSet = one.length === other.length && [...one, ...other].every((score) => score === 1)
  const common = given.words.reduce((sum, word, place) => sum + (one[place] as number) * rarity(word), 0)
  const [givenForm, storedForm] = [legalForm(given.name), legalForm(stored.name)]
  const [givenLetters, storedLetters] = [given.words.join(''), stored.words.join('')]
  return {
    'query covered': queryCovered,
    'candidate covered': candidateCovered,
    'both covered': queryCovered * candidateCovered,
    'rarest missing in candidate': missing(given.words, one, rarity),
    'rarest missing in query': missing(stored.words, other, rarity),
    'same words': Number(isSameSet),
    'same words and order': Number(isSameSet && givenLetters === storedLetters),
    'same letters': Number(givenLetters === storedLetters),
    letters: wordSimilarity(givenLetters, storedLetters),
    'rarity of common words': Math.min(3, common / 10),
    'rarity of same words': isSameSet ? Math.min(3, common / 10) : 0,
    misspelled: Math.min(1, one.filter((score) => score > 0 && score < 1).length / 2),
    'other number': Number(numbers(given.words) !== numbers(stored.words)),
    'same legal form': Number(givenForm !== undefined && givenForm === storedForm),
    'other legal form': Number(givenForm !== undefined && storedForm !== undefined && givenForm !== storedForm),
  }
}

/** Returns the share of a name's total rarity that is covered by words in the other name. */
function covered(words: readonly string[], scores: readonly number[], rarity: Rarity): number {
  const weights = words.map(rarity)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return words.reduce((sum, _, place) => sum + (weights[place] as number) * (scores[place] as number), 0) / total
}

function missing(words: readonly string[], scores: readonly number[], rarity: Rarity): number {
  return Math.max(...words.map((word, place) => (1 - (scores[place] as number)) * rarity(word))) / 10
}

/** Extracts numbers and Roman numerals, which distinguish funds or entities in the same group. */
const numbers = (words: readonly string[]): string =>
  words
    .filter((word) => /^(\d+|i{1,3}|iv|vi{0,3}|ix|xi{0,3})$/.test(word))
    .toSorted()
    .join(' ')
