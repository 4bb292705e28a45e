import type { Element } from 'domhandler'
import type { TreeModel } from '../../classifier/trees.ts'
import { predict } from '../../classifier/trees.ts'
import type { Page } from '../../extract/page.ts'
import { absoluteUrl } from '../../extract/page.ts'
import { readWeights } from '../models/text-model.ts'
import { cardsOf } from './cards.ts'
import { measureGroups } from './group-features.ts'
import { nameKey } from './name-key.ts'
import { isNameShaped } from './name-shape.ts'
import type { NameSpan } from './name-spans.ts'
import { findNameSpans } from './name-spans.ts'
import type { Line } from './page-lines.ts'
import { linesOf } from './page-lines.ts'
import type { Pair, ScoredPair } from './pair-features.ts'
import { countNames, isExcluded, measureName, measureTitle } from './pair-features.ts'
import { publishedTitles } from './published-titles.ts'
import { surroundingsOf } from './surroundings.ts'
import { findTitles } from './title-spans.ts'

/** A person read from a page's layout. */
export interface PagePerson {
  name: string
  title: string | null
  /** Probability that this person works for the company and has this title. */
  confidence: number
  /** The largest element that contains no other person. */
  card: Element
}

/**
 * The models of the two stages: `single` scores a pair in isolation, and `grouped` scores the pair together with the
 * other pairs from the same template.
 */
export interface PairModels {
  single: TreeModel
  grouped: TreeModel
}

let models = readWeights<PairModels>('weights-pairs.json')

/** Replaces the models, so that models trained without certain pages can be evaluated. */
export function usePairModels(replacement: PairModels): void {
  models = replacement
}

const MIN_PROBABILITY = 0.45
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
    confidence: Math.min(probability, MAX_CONFIDENCE),
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
      (title): Pair => ({ name, title, values: { ...shared, ...measureTitle(name, title, names) } }),
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
export function scorePairs(pairs: readonly Pair[], { single, grouped }: PairModels): ScoredPair[] {
  const first = pairs.map((pair) => ({ pair, probability: predict(single, pair.values) }))
  const groups = measureGroups(first)
  return first.map(({ pair }, at) => ({ pair, probability: predict(grouped, { ...pair.values, ...groups[at] }) }))
}

/**
 * Returns the best pair for each person who works for the company. `profileOf` is the name of a person whose profile the
 * page is known to be.
 */
export function choosePeople(scored: readonly ScoredPair[], profileOf?: string): ScoredPair[] {
  const known = profileOf === undefined ? undefined : nameKey(profileOf)
  const isKnown = ({ pair }: ScoredPair): boolean => nameKey(pair.name.text) === known
  const best = bestPairs(scored, isKnown)
  const groups = Map.groupBy(best, ({ pair }) => pair.name.place)
  return completeGroups(
    best.filter((one) => isKnown(one) || isSupported(one, groups.get(one.pair.name.place)?.length ?? 0)),
    scored,
  )
}

/** Minimum probability of a person who is mentioned alone on a page that does not list the company's people. */
const MIN_ALONE = 0.8
/** Minimum probability of a person under a heading that may introduce other people. */
const MIN_AMONG_OTHERS = 0.8
/** Minimum difference at which a heading may introduce other people. */
const LEANS_OTHERS = 0.3

/**
 * Returns whether a person's probability is high enough for the evidence around the name. Outside the sections about the
 * company's people, a single person or a person in running text is often a customer, an adviser or an official. `peers`
 * is the number of people in the same position.
 */
function isSupported({ pair: { name, values }, probability }: ScoredPair, peers: number): boolean {
  if ((values['verdict'] ?? 0) > LEANS_OTHERS && probability < MIN_AMONG_OTHERS) return false
  return isAmongOwn(values) || (name.form !== 'prose' && peers >= MIN_GROUP) || probability >= MIN_ALONE
}

/**
 * Returns the best pair for each person. `isKnown` returns whether the person is known to work for the company. Accepts pairs in descending order of probability, and only one of several
 * overlapping names. A line can be the title of only one name, and a name inside an accepted title is an employer.
 */
function bestPairs(scored: readonly ScoredPair[], isKnown: (one: ScoredPair) => boolean): ScoredPair[] {
  const ranked = scored
    .filter((one) =>
      isKnown(one)
        ? one.probability >= MIN_PROFILE && one.pair.title.text !== ''
        : one.probability >= MIN_PROBABILITY && !isExcluded(one.pair.values),
    )
    .filter(({ pair }) => mayBeTitle(pair))
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
  return inPageOrder([...people.values()])
}

/** Difference in probability below which a name between separators is preferred to the same name in running text. */
const TIE = 0.05

const rankOf = ({ pair: { name }, probability }: ScoredPair): number =>
  name.form === 'prose' ? probability - TIE : probability

const inPageOrder = (pairs: readonly ScoredPair[]): ScoredPair[] =>
  pairs.toSorted((a, b) => a.pair.name.row - b.pair.name.row || a.pair.name.start - b.pair.name.start)

/** Score of a short text that is not a known title. Sentences score 0. */
const UNKNOWN_TITLE = 0.3
const MIN_TITLE_LETTERS = 0.12

/**
 * Returns whether a text may be a title: it contains a known word, or its letters resemble those of titles. Outside
 * running text, it may also be empty, resemble titles more than names or, among the company's people, not have the form
 * of a name. A name in running text needs a title, because most other names there belong to founders, visitors and customers.
 */
function mayBeTitle({ name, title, values }: Pair): boolean {
  const { titleKnown = 0, titleLetters = 0, titleIsName = 0 } = values
  const isKnown = titleKnown > UNKNOWN_TITLE || titleLetters > (titleKnown === UNKNOWN_TITLE ? MIN_TITLE_LETTERS : 0.5)
  const isUnlikeName = titleLetters > titleIsName || (isAmongOwn(values) && !isNameShaped(title.text))
  return isKnown || (name.form !== 'prose' && (title.text === '' || isUnlikeName))
}

/** Returns whether the page or a heading indicates that it lists the company's people. */
const isAmongOwn = ({ pageOwn = 0, ownAbove = 0 }: Readonly<Record<string, number>>): boolean =>
  Math.max(pageOwn, ownAbove) > 0.5

/** Returns whether two pairs use the same text in incompatible ways. */
function conflict({ pair: { name, title } }: ScoredPair, { pair: other }: ScoredPair): boolean {
  if (other.name.line === name.line) return other.name.start < name.end && name.start < other.name.end
  if (other.title.line === name.line) return other.title.text.includes(name.text)
  if (title.line === other.name.line) return title.text.includes(other.name.text)
  // Two names on one line can share a title: `Directors: Jane Doe and John Roe`.
  return title.line === other.title.line && title.text === other.title.text && name.line !== other.name.line
}

const MIN_GROUP = 2
const GROUP_CONFIDENCE = 0.6
/** Minimum number and share of a group's titles in the same position at which the position identifies titles. */
const MIN_REGULAR = 3
const REGULAR = 0.75
/** Minimum share of titled people in a group at which a name without a title in the usual position is added. */
const MOSTLY = 0.6
/** Minimum probability of a title in another position, and of no title. */
const LIKELY = 0.3
const POSSIBLE = 0.01

/**
 * Adds the remaining names in groups that consist mostly of people. Uses the text in the group's title position if that
 * text may be a title. If not, and if nearly all names are people, uses the name's most likely title or none.
 */
function completeGroups(chosen: readonly ScoredPair[], scored: readonly ScoredPair[]): ScoredPair[] {
  const known = new Set(chosen.map(({ pair }) => nameKey(pair.name.text)))
  const added = [...Map.groupBy(scored, ({ pair }) => pair.name.place)].flatMap(([place, group]) => {
    const own = chosen.filter(({ pair }) => pair.name.place === place && pair.title.text !== '')
    const inLines = own.filter(({ pair }) => pair.name.form === 'line').length
    const form = inLines * 2 < own.length ? 'part' : 'line'
    const names = Map.groupBy(
      group.filter(({ pair: { name } }) => name.form === form),
      ({ pair }) => pair.name,
    )
    if (own.length < MIN_GROUP || own.length * 2 < names.size || place.startsWith('prose')) return []
    const places = Map.groupBy(own, ({ pair }) => pair.title.place)
    const [usual, same = []] = [...places].toSorted((a, b) => b[1].length - a[1].length)[0] ?? []
    // If nearly all titles have the same position, any short text there is a title: `Accounts Payable`.
    const isRegular = same.length >= MIN_REGULAR && same.length >= own.length * REGULAR
    const isMostly = form === 'line' && own.length >= names.size * MOSTLY
    const isTitled = ({ pair: { name, title, values } }: ScoredPair): boolean => {
      const { nameIsTitle = 0, titleIsName = 0, titleSentence = 0 } = values
      const isShort =
        form === 'line' &&
        isRegular &&
        isAmongOwn(values) &&
        titleIsName < 0.5 &&
        titleSentence === 0 &&
        name.score > 0.5
      return title.place === usual && nameIsTitle < 0.3 && (title.score > 0.5 || isShort)
    }
    return [...names].flatMap(([name, pairs]) => {
      const ranked = pairs.toSorted((a, b) => b.probability - a.probability)
      const likely = ranked.find(({ pair, probability }) => pair.title.score > 0.5 && probability >= LIKELY)
      const bare = pairs.find(({ pair, probability }) => pair.title.text === '' && probability >= POSSIBLE)
      const pair = pairs.find(isTitled) ?? (isMostly && name.score > 0.5 ? (likely ?? bare) : undefined)
      if (known.has(nameKey(name.text)) || !pair || isExcluded(pair.pair.values)) return []
      // Investors and former staff are often shown in the same layout.
      if ((pair.pair.values['verdict'] ?? 0) > 0) return []
      if (chosen.some((other) => other.pair.name.line === name.line && conflict(pair, other))) return []
      known.add(nameKey(name.text))
      return [{ ...pair, probability: GROUP_CONFIDENCE }]
    })
  })
  return inPageOrder([...chosen, ...added])
}
