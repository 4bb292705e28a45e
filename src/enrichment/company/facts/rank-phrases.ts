import { readFileSync } from 'node:fs'
import { foldAccents } from '../../../lib/fold-accents.ts'
import { onFirstUse } from '../../../lib/on-first-use.ts'
import type { TreeModel } from '../../classifier/trees.ts'
import { predict } from '../../classifier/trees.ts'
import { combinedOdds, groupOdds, industryOdds } from '../naics/classify.ts'
import { describeBusiness } from './business-texts.ts'
import type { Decide } from './decide.ts'
import type { IndustryCandidate } from './industry.ts'
import { kindWord } from './kind-words.ts'
import type { SiteText } from './site-text.ts'

/** A phrase, its values for the model that ranks phrases, and the page that states it. */
export interface DescribedPhrase {
  phrase: string
  page: number
  values: Record<string, number>
}

export interface RankedPhrase extends DescribedPhrase {
  /** Probability that the phrase answers what kind of business the company is. */
  p: number
}

/** A phrase's occurrences, most probable first. */
interface Group {
  key: string
  occurrences: { candidate: IndustryCandidate; p: number }[]
  p: number
}

/** Number of phrases that are ranked. */
const MAX_PHRASES = 30
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Languages in which most words that qualify a noun follow it. */
const HEAD_FIRST = new Set(['fr', 'es', 'pt', 'it', 'ro', 'ca', 'id', 'vi', 'ar', 'he', 'th'])
/** Words for `and` and `or`. A phrase that ends before one of them may be incomplete. */
const CONJUNCTIONS = new Set(
  '& a and dan e en et i ir ja o och og oraz si u un und va ve y ή και і и й ו و და'.split(' '),
)
/** Features that contain words, which the first model has weighed. */
const WORDS = /^(?:gap ends|tail ends|tail next|first|last) /u
const COUNT = /^(?<name>gap|lead|tail|order|shared|kind words|words) (?<count>\d)$/u
const EDGE = /^(?<side>ends|begins) (?<edge>.+)$/u
const PLACE = /^(?:in |whole$|to end|from start)/u
const EPSILON = 1e-6

const fold = (text: string): string => foldAccents(text).toLowerCase()
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
const mostOf = (numbers: Iterable<number>): number => Math.max(0, ...numbers)

/** What all texts of a site say about its industry. */
interface SiteIndustry {
  odds: Float64Array
  groups: ReadonlyMap<string, number>
  /** Index of the most probable industry. */
  top: number
}

/**
 * Describes the most probable phrases (by the `industry` decision) by their form, their occurrences, the phrases that
 * contain them or that they contain, and by whether they indicate the same industry as all texts of the site.
 */
export function describePhrases(
  site: SiteText,
  name: string | undefined,
  candidates: readonly IndustryCandidate[],
  decide: Decide,
): DescribedPhrase[] {
  const odds = decide(
    'industry',
    candidates.map(({ features }) => features),
  )
  const language = site.statements[0]?.language ?? ''
  const occurrences = candidates.map((candidate, place) => ({ candidate, p: odds[place] as number }))
  const groups = [...Map.groupBy(occurrences, ({ candidate }) => fold(candidate.phrase))]
    .map(([key, own]): Group => {
      const sorted = own.toSorted((a, b) => b.p - a.p)
      return { key, occurrences: sorted, p: sorted[0]?.p ?? 0 }
    })
    .toSorted((a, b) => b.p - a.p)
    .slice(0, MAX_PHRASES)
  const all = combinedOdds(
    describeBusiness(
      site,
      name,
      occurrences.map(({ candidate, p }) => ({ text: candidate.phrase, weight: p })),
    ),
  )
  const industry: SiteIndustry = { odds: all, groups: groupOdds(all), top: all.indexOf(mostOf(all)) }
  const home = combinedOdds(describeBusiness(site, name, []))
  const stated = sumOf(odds)
  return groups.map((group, rank) => {
    const [{ candidate }] = group.occurrences as [Group['occurrences'][number]]
    // Capitals omit accents in some languages.
    const written = group.occurrences.find((one) => !isShouted(one.candidate.phrase))?.candidate ?? candidate
    return {
      phrase: written.phrase,
      page: written.page,
      values: {
        rank,
        none: 1 - stated,
        above: group.p / (groups[0]?.p || 1),
        ...nestingValues(group, groups),
        ...extensionValues(group, groups),
        ...sideValues(candidate, decide),
        ...formValues(candidate, language),
        ...industryValues(candidate.phrase, industry),
        ...homeValues(candidate.phrase, home),
        ...shapeValues(group),
      },
    }
  })
}

/** Compares a phrase with the phrases that contain it, and with those that it contains. */
function nestingValues(group: Group, groups: readonly Group[]): Record<string, number> {
  const isWithin = (inner: Group, outer: Group): boolean =>
    inner !== outer &&
    (UNSPACED.test(outer.key) ? outer.key.includes(inner.key) : ` ${outer.key} `.includes(` ${inner.key} `))
  const odds = (others: readonly Group[]): number[] => others.map(({ p }) => p)
  const longer = odds(groups.filter((other) => isWithin(group, other)))
  const shorter = odds(groups.filter((other) => isWithin(other, group)))
  const ratio = (other: number): number => Math.log((group.p + EPSILON) / (other + EPSILON))
  return {
    'log p': Math.log(group.p + EPSILON),
    'log sum': Math.log(sumOf(group.occurrences.map(({ p }) => p)) + EPSILON),
    longer: longer.length,
    'longer p': sumOf(longer),
    'to longer': ratio(sumOf(longer)),
    'to longest': ratio(mostOf(longer)),
    shorter: shorter.length,
    'shorter p': sumOf(shorter),
    'to shorter': ratio(sumOf(shorter)),
    'to shortest': ratio(mostOf(shorter)),
    occurrences: group.occurrences.length,
    pages: new Set(group.occurrences.map(({ candidate }) => candidate.page)).size,
  }
}

/** Returns how much the words of a phrase and those beside it contribute to the first model's log-odds. */
const sideValues = ({ features }: IndustryCandidate, decide: Decide): Record<string, number> =>
  Object.fromEntries(
    Object.entries(decide.sidesOf('industry', features)).map(([side, value]) => [`side ${side}`, value]),
  )

/** Compares a phrase with those that add words to its start or end, and with those that lack its first or last words. */
function extensionValues(group: Group, groups: readonly Group[]): Record<string, number> {
  const space = UNSPACED.test(group.key) ? '' : ' '
  const isBefore = (start: Group, whole: Group): boolean => whole !== start && whole.key.startsWith(start.key + space)
  const isAfter = (end: Group, whole: Group): boolean => whole !== end && whole.key.endsWith(space + end.key)
  const values: Record<string, number> = {
    'clean both': group.occurrences.filter(
      ({ candidate }) => isClean(candidate, 'begins') && isClean(candidate, 'ends'),
    ).length,
    'home occurrences': group.occurrences.filter(({ candidate }) => candidate.page === 0).length,
  }
  for (const [what, others, added] of [
    ['right', groups.filter((one) => isBefore(group, one)), ({ key }: Group) => key.slice(group.key.length)],
    ['left', groups.filter((one) => isAfter(group, one)), ({ key }: Group) => key.slice(0, -group.key.length)],
    ['without end', groups.filter((one) => isBefore(one, group)), ({ key }: Group) => group.key.slice(key.length)],
    ['without start', groups.filter((one) => isAfter(one, group)), ({ key }: Group) => group.key.slice(0, -key.length)],
  ] as const) {
    const [first] = others
    if (!first) continue
    const words = added(first).trim().split(/\s+/u)
    values[`${what}: ratio`] = Math.log((group.p + EPSILON) / (first.p + EPSILON))
    values[`${what}: count`] = others.length
    values[`${what}: words`] = words.length
    values[`${what}: kinds`] = 1 + words.filter((word) => kindWord(word) !== 'none').length
    values[`${what}: and`] = flag(words.some((word) => CONJUNCTIONS.has(word)))
    values[`${what}: clean start`] = first.occurrences.filter(({ candidate }) => isClean(candidate, 'begins')).length
    values[`${what}: clean end`] = first.occurrences.filter(({ candidate }) => isClean(candidate, 'ends')).length
    values[`${what}: occurrences`] = first.occurrences.length
  }
  return values
}

/** Returns whether a phrase begins or ends at the edge of a passage or at a punctuation mark. */
const isClean = ({ features }: IndustryCandidate, side: 'begins' | 'ends'): boolean =>
  features.shapes.some((shape) => {
    const { side: own, edge = '' } = EDGE.exec(shape)?.groups ?? {}
    return own === side && ['edge', 'mark'].includes(edgeOf(edge, side))
  })

/** Compares the industry that a phrase indicates with that of the title and the first texts of the home page. */
function homeValues(phrase: string, home: Float64Array): Record<string, number> {
  const own = industryOdds(phrase)
  if (!own) return {}
  const length = (one: Float64Array): number => Math.hypot(...one) || 1
  const groups = groupOdds(home)
  return {
    'similar to home': own.reduce((sum, p, at) => sum + p * (home[at] as number), 0) / length(own) / length(home),
    'same group as home': sumOf([...groupOdds(own)].map(([group, p]) => p * (groups.get(group) ?? 0))),
  }
}

const isShouted = (phrase: string): boolean => phrase === phrase.toUpperCase() && phrase !== phrase.toLowerCase()

const flag = (value: boolean): number => (value ? 1 : 0)

function formValues({ phrase, before, after }: IndustryCandidate, language: string): Record<string, number> {
  const words = phrase.split(/\s+/u)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return {
    length: words.length,
    letters: phrase.length,
    'letters first': first.length,
    'letters last': last.length,
    shouted: flag(isShouted(phrase)),
    'capital last': flag(/^\p{Lu}/u.test(last)),
    'participle last': flag(/(?:ing|ed)$/u.test(last)),
    'participle inside': flag(words.slice(1).some((word) => word.endsWith('ing'))),
    'and after': flag(CONJUNCTIONS.has(fold(after))),
    'and before': flag(CONJUNCTIONS.has(fold(before))),
    'and inside': flag(words.some((word) => CONJUNCTIONS.has(fold(word)))),
    'head first': flag(HEAD_FIRST.has(language)),
    english: flag(language === 'en'),
    unspaced: flag(UNSPACED.test(phrase)),
  }
}

/** Compares the industries that a phrase indicates with those of the site. */
function industryValues(phrase: string, { odds, groups, top }: SiteIndustry): Record<string, number> {
  const own = industryOdds(phrase)
  if (!own || top < 0) return { 'no industry': 1, 'site industry': odds[top] ?? 0 }
  const words = phrase.split(/\s+/u)
  const topOf = (part: readonly string[]): number => industryOdds(part.join(' '))?.[top] ?? 0
  const length = (one: Float64Array): number => Math.hypot(...one) || 1
  const ownTop = own[top] as number
  return {
    'site industry': odds[top] as number,
    industry: mostOf(own),
    'same industry': ownTop,
    'similar industry': own.reduce((sum, p, at) => sum + p * (odds[at] as number), 0) / length(own) / length(odds),
    'same group': sumOf([...groupOdds(own)].map(([group, p]) => p * (groups.get(group) ?? 0))),
    'without last word': words.length > 1 ? topOf(words.slice(0, -1)) - ownTop : 0,
    'without first word': words.length > 1 ? topOf(words.slice(1)) - ownTop : 0,
  }
}

/** Counts features of the first model: those of the most probable occurrence, and the positions of all occurrences. */
function shapeValues({ occurrences }: Group): Record<string, number> {
  const values: Record<string, number> = {}
  const add = (name: string): void => {
    values[name] = (values[name] ?? 0) + 1
  }
  for (const shape of occurrences[0]?.candidate.features.shapes ?? []) {
    const { side, edge = '' } = EDGE.exec(shape)?.groups ?? {}
    const { name, count } = COUNT.exec(shape)?.groups ?? {}
    if (side) add(`${side} ${edgeOf(edge, side)}`)
    // Counts start at 1, because missing values are 0.
    else if (name) values[`count ${name}`] = Number(count) + 1
    else if (!WORDS.test(shape)) add(shape)
  }
  for (const { candidate } of occurrences)
    for (const shape of candidate.features.shapes) {
      const { side, edge = '' } = EDGE.exec(shape)?.groups ?? {}
      if (PLACE.test(shape)) add(`any ${shape}`)
      else if (side && ['edge', 'mark'].includes(edgeOf(edge, side))) add(`clean ${side}`)
    }
  return values
}

/** Returns the kind of the token beside a phrase: the edge of the passage, a punctuation mark, or a word. */
function edgeOf(shapes: string, side: string): string {
  if (/^[$^]$/u.test(shapes)) return 'edge'
  if (/^[^\p{L}]$/u.test(shapes)) return 'mark'
  const words = shapes.match(/own|number|\w+ (?:upper|lower)|[^\s\p{L}]/gu) ?? []
  return (side === 'ends' ? words[0] : words.at(-1)) ?? ''
}

/** Returns the phrases with their probabilities, most probable first. */
export const rankPhrases = (described: readonly DescribedPhrase[], model: TreeModel = trained()): RankedPhrase[] =>
  described
    .map((one) => ({ ...one, p: Math.max(predict(model, one.values), oddsOfRow(one.values)) }))
    .map((one, _, all) => ({
      ...one,
      p: Math.max(one.p, ...all.map((other) => (isExtension(one, other) ? other.p : 0))),
    }))
    .toSorted((a, b) => b.p - a.p || b.phrase.length - a.phrase.length)

/** The end of a phrase with a preposition and a noun that may qualify the next noun, as in `manufacturer of stone`. */
const QUALIFIER = /\s\p{Ll}{2,3}\s\p{Ll}+$/u

/**
 * How much lower the logarithm of the longer phrase's probability by the first model may be. On sites left out of
 * training, the longer phrase is the right one in 10 of 13 cases with a difference between 1 and 3.
 */
const MAX_LOSS = 3
/** Participles and short words, such as `on`, start a clause or a place after the phrase. */
const CLAUSE = /(?:ing|ed)$|^.{1,3}$/u

/**
 * Returns whether a phrase adds the last noun to a phrase that ends before it, as in `manufacturer of stone mills`.
 */
const isExtension = (longer: DescribedPhrase, shorter: DescribedPhrase): boolean =>
  !longer.values['head first'] &&
  longer.phrase.startsWith(`${shorter.phrase} `) &&
  QUALIFIER.test(shorter.phrase) &&
  /^\p{Ll}+$/u.test(longer.phrase.slice(shorter.phrase.length + 1)) &&
  !CLAUSE.test(longer.phrase.slice(shorter.phrase.length + 1)) &&
  (longer.values['log p'] ?? 0) >= (shorter.values['log p'] ?? 0) - MAX_LOSS

/**
 * Returns the first model's probability of a whole row of a fact sheet. The row's label states what the phrase means,
 * and only the first model reads labels.
 */
const oddsOfRow = (values: Readonly<Record<string, number>>): number =>
  values['in row'] && values['whole'] ? Math.exp(values['log p'] ?? -Infinity) : 0

/** The file written by `npm run generate -- company-facts`. */
const trained = onFirstUse(
  () => JSON.parse(readFileSync(new URL('weights-phrases.json', import.meta.url), 'utf8')) as TreeModel,
)
