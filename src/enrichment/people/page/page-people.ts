import type { Element } from 'domhandler'
import type { TreeModel } from '../../classifier/trees.ts'
import { predict } from '../../classifier/trees.ts'
import type { Page } from '../../extract/page.ts'
import { absoluteUrl } from '../../extract/page.ts'
import type { Calibration } from '../models/calibration.ts'
import { calibrate } from '../models/calibration.ts'
import { readWeights } from '../models/text-model.ts'
import { cardsOf } from './cards.ts'
import { measureGroups } from './group-features.ts'
import { nameKey } from './name-key.ts'
import type { NameSpan } from './name-span.ts'
import { findNameSpans } from './name-spans.ts'
import type { Line } from './page-lines.ts'
import { linesOf } from './page-lines.ts'
import type { Pair, ScoredPair } from './pair-features.ts'
import { countNames, measureName, measureTitle } from './pair-features.ts'
import { publishedTitles } from './published-titles.ts'
import { surroundingsOf } from './surroundings.ts'
import { findTitles } from './title-spans.ts'

/** A person read from a page's layout. */
export interface PagePerson {
  name: string
  title: string | null
  /** Probability that this person works for the company and has this title, calibrated on unknown sites. */
  confidence: number
  /** The largest element that contains no other person. */
  card: Element
}

/**
 * The models of the two stages: `single` scores a pair in isolation, and `grouped` scores the pair together with the
 * other pairs from the same template. The calibration turns the probability of an accepted pair into its confidence.
 */
export interface PairModels {
  single: TreeModel
  grouped: TreeModel
  calibration: Calibration
}

let models = readWeights<PairModels>('weights-pairs.json')

/** Replaces the models, so that models trained without certain pages can be evaluated. */
export function usePairModels(replacement: PairModels): void {
  models = replacement
}

const MIN_PROBABILITY = 0.5
/** Minimum probability of a name without a title. */
const MIN_BARE = 0.6
/** Minimum probability of a title on the profile of a person who is known to work for the company. */
const MIN_PROFILE = 0.3
/**
 * Maximum confidence of a person read from the layout. This maximum is lower than for structured data, which separates
 * titles from employers.
 */
const MAX_CONFIDENCE = 0.95

/**
 * Finds the company's people on a page. Every possible name is paired with nearby text that may be its title. A first
 * model scores each pair. A second model then uses the scores of pairs in the same position in similar cards, rows and
 * list items. Names and titles are kept as published.
 */
export function readPagePeople(
  page: Page,
  { isTeamPage = false, profileOf }: { isTeamPage?: boolean; profileOf?: string | undefined } = {},
): PagePerson[] {
  const chosen = choosePeople(scorePairs(pairsOf(page, isTeamPage), models), profileOf)
  const cards = cardsOf(chosen.map(({ pair }) => pair.name))
  const titles = publishedTitles(chosen.map(({ pair }) => pair.title.text))
  return chosen.map(({ pair: { name }, probability }, at) => ({
    name: name.text,
    title: titles[at] || null,
    confidence: Math.min(calibrate(models.calibration, probability), MAX_CONFIDENCE),
    card: cards[at] as Element,
  }))
}

/** Returns all pairs on a page with their features. */
export function pairsOf(page: Page, isTeamPage: boolean): Pair[] {
  const lines = linesOf(page)
  const spans = findNameSpans(lines)
  const byRow = Map.groupBy(spans, ({ row }) => row)
  const around = surroundingsOf(page, lines, byRow)
  const written = new Set(spans.filter(({ line }) => !line.alt).map(({ text }) => nameKey(text)))
  const names = countNames(spans)
  return spans.flatMap((name) => {
    if (leadsHome(name.el, page)) return []
    // An image's `alt` text often repeats the name beside it.
    if (name.line.alt && written.has(nameKey(name.text))) return []
    if (isSecondSpelling(name, byRow.get(name.row) ?? [])) return []
    const shared = measureName(name, lines, byRow, around, isTeamPage)
    return findTitles(name, lines, byRow).map(
      (title): Pair => ({
        name,
        title,
        heading: around.above[name.row]?.[0],
        values: { ...shared, ...measureTitle(name, title, names) },
      }),
    )
  })
}

/**
 * Returns whether an element is in a link to the home page. The text of such a link is the site's name. Links to a place
 * on a page, such as `#jane`, do not count.
 */
function leadsHome(el: Element, { base }: Page): boolean {
  for (let node: Element | null = el, up = 0; node && up < 3; node = node.parent as Element | null, up++) {
    const href = node.name === 'a' ? (node.attribs['href'] ?? '') : ''
    if (href !== '') return !href.includes('#') && absoluteUrl(href, base) === new URL('/', base).href
  }
  return false
}

const ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Returns whether a name repeats a preceding name on the same line in another script: `Aiko Muster 見本 愛子`. */
const isSecondSpelling = (name: NameSpan, spans: readonly NameSpan[]): boolean =>
  spans.some(
    ({ text, start, end, score }) =>
      start === 0 && end < name.start && score > 0.5 && ASIAN.test(text) !== ASIAN.test(name.text),
  )

/** Scores each pair in isolation, then together with the other pairs from the same template. */
export function scorePairs(
  pairs: readonly Pair[],
  { single, grouped }: Pick<PairModels, 'single' | 'grouped'>,
): ScoredPair[] {
  const first = pairs.map((pair) => ({ pair, probability: predict(single, pair.values) }))
  const groups = measureGroups(first)
  return first.map(({ pair }, at) => ({ pair, probability: predict(grouped, { ...pair.values, ...groups[at] }) }))
}

/**
 * Returns the best pair for each person who works for the company. `profileOf` is the name of a person whose profile the
 * page is known to be. Accepts pairs in descending order of probability, and only one of several overlapping names. A
 * line can be the title of only one name, and a name inside an accepted title is an employer.
 */
export function choosePeople(scored: readonly ScoredPair[], profileOf?: string): ScoredPair[] {
  const known = profileOf === undefined ? undefined : nameKey(profileOf)
  const ranked = scored
    .filter(({ pair, probability }) => probability >= minimumOf(pair, nameKey(pair.name.text) === known))
    .toSorted((a, b) => rankOf(b) - rankOf(a))
  const taken = new Map<Line, ScoredPair[]>()
  const people = new Map<string, ScoredPair>()
  for (const one of ranked) {
    const { name, title } = one.pair
    const key = nameKey(name.text)
    const conflicts = [name.line, title.line].some((line) =>
      (line === null ? [] : (taken.get(line) ?? [])).some((other) => conflict(one, other)),
    )
    if (people.has(key) || conflicts) continue
    people.set(key, one)
    for (const line of new Set([name.line, title.line])) if (line) taken.set(line, [...(taken.get(line) ?? []), one])
  }
  return inPageOrder(withUntitled([...people.values()], scored))
}

/** Minimum number of titled people, and their minimum share of the names, in a group with further people. */
const MIN_GROUP = 2
const MOSTLY = 0.6
/** Minimum score and probability of a further name, and its confidence. */
const MIN_NAME = 0.5
const POSSIBLE = 0.01
const GROUP_PROBABILITY = 0.6

/** Adds names without titles among people with titles, in the same position and under the same heading. */
function withUntitled(chosen: readonly ScoredPair[], scored: readonly ScoredPair[]): ScoredPair[] {
  const known = new Set(chosen.map(({ pair }) => nameKey(pair.name.text)))
  const bare = scored.filter(({ pair: { name, title } }) => name.form === 'line' && title.text === '')
  const added = [...Map.groupBy(bare, ({ pair }) => pair.name.place).values()]
    .flatMap((group) => [...Map.groupBy(group, ({ pair }) => pair.heading).values()])
    .flatMap((group) => {
      const names = new Set(group.map(({ pair }) => pair.name))
      const own = chosen.filter(({ pair }) => names.has(pair.name) && pair.title.text !== '')
      if (own.length < MIN_GROUP || own.length < names.size * MOSTLY) return []
      return group.filter(
        (one) =>
          one.pair.name.score > MIN_NAME &&
          one.probability >= POSSIBLE &&
          !known.has(nameKey(one.pair.name.text)) &&
          !chosen.some((other) => other.pair.name.line === one.pair.name.line && conflict(one, other)),
      )
    })
  return [...chosen, ...added.map((one) => ({ ...one, probability: Math.max(one.probability, GROUP_PROBABILITY) }))]
}

/** Minimum difference at which a heading clearly introduces other people, and the minimum probability under it. */
const CLEARLY_OTHERS = 0.6
const MIN_AMONG_OTHERS = 0.9

/**
 * Returns the minimum probability of a pair. A name in running text needs a title that is known or resembles titles,
 * because most other names there belong to founders, visitors and customers.
 */
function minimumOf({ name, title, values }: Pair, isKnown: boolean): number {
  const { verdict = 0, titleKnown = 0, titleLetters = 0 } = values
  if (title.text !== '' && isKnown) return MIN_PROFILE
  if (name.form === 'prose' && titleKnown < MIN_KNOWN && titleLetters < MIN_LETTERS) return Number.POSITIVE_INFINITY
  if (verdict > CLEARLY_OTHERS) return MIN_AMONG_OTHERS
  return title.text === '' ? MIN_BARE : MIN_PROBABILITY
}

/** Minimum likelihoods of a title in running text, by its words and by its letters. */
const MIN_KNOWN = 0.6
const MIN_LETTERS = 0.34

/** Difference in probability below which a name between separators is preferred to the same name in running text. */
const TIE = 0.05

const rankOf = ({ pair: { name }, probability }: ScoredPair): number =>
  name.form === 'prose' ? probability - TIE : probability

const inPageOrder = (pairs: readonly ScoredPair[]): ScoredPair[] =>
  pairs.toSorted((a, b) => a.pair.name.row - b.pair.name.row || a.pair.name.start - b.pair.name.start)

/** Returns whether two pairs use the same text in incompatible ways. */
function conflict({ pair: { name, title } }: ScoredPair, { pair: other }: ScoredPair): boolean {
  if (other.name.line === name.line) return other.name.start < name.end && name.start < other.name.end
  if (other.title.line === name.line) return other.title.text.includes(name.text)
  if (title.line === other.name.line) return title.text.includes(other.name.text)
  // Two names can share a title: `Directors: Jane Doe and John Roe`.
  const isShared = (title.isShared && other.title.isShared) || name.line === other.name.line
  return title.line === other.title.line && title.text === other.title.text && !isShared
}
