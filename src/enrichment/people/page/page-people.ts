import type { Element } from 'domhandler'
import type { Page } from '../../extract/page.ts'
import { parseName } from '../names/parse-name.ts'
import { hasSureRole } from '../titles/classify-seniority.ts'
import { withoutLabel } from '../titles/title-text.ts'
import { labelColumns } from './label-columns.ts'
import { nameCards, nameKey } from './name-cards.ts'
import { BESIDE_QUOTATION, BLOCK_OF_OTHERS, foreignReason, isTeamHeading, STAFF } from './negative-context.ts'
import type { Atom } from './page-atoms.ts'
import { atomsOf } from './page-atoms.ts'
import type { Line } from './page-lines.ts'
import { linesOf } from './page-lines.ts'
import type { Pair } from './pair-titles.ts'
import { pairTitles } from './pair-titles.ts'
import { promoteNames } from './promote-names.ts'
import { readProsePeople } from './prose-people.ts'

/** A person read from a page's layout. */
export interface PagePerson {
  name: string
  title: string | null
  /** Probability that this person works for the company and has this title. */
  confidence: number
  /** The element that is only about this person. */
  card: Element
}

/** Matches paths of pages on which a single name is usually an author or a customer. */
const FOREIGN_PATH =
  /\/(blog|news|press|articles?|posts?|insights|stories|case-stud\w+|testimonials?|reviews?|careers?|jobs?|events?|customers?|clients?|portfolio)(\/|$|\.)/i
const FORMER =
  /^(former|ex-|retired|late|past (?!chair|president)|ehemalig|ancien|in memoriam)|\b(emerit|retired|deceased)/i

/**
 * Finds people by repeated structure: names in similar elements, with titles in the same position. Adds people who are
 * introduced in sentences. Names and titles are kept as published.
 */
export function readPagePeople(
  page: Page,
  { isTeamPage: isKnown = false }: { isTeamPage?: boolean } = {},
): PagePerson[] {
  const lines = linesOf(page)
  const atoms = promoteNames(labelColumns(atomsOf(lines)))
  const pairs = pairTitles(atoms, nameCards(atoms))
  const headings = headingsAbove(lines, atoms)
  const teamPage = isKnown || isTeamPage(page, lines)
  const read = (lenient: boolean): PagePerson[] => {
    const people = new Map<string, PagePerson>()
    for (const pair of pairs) {
      const person = judge(pair, atoms, headings[pair.card.atom.row] ?? [], page, teamPage, lenient)
      if (!person) continue
      const known = people.get(pair.card.key)
      if (!known || rank(person) > rank(known)) people.set(pair.card.key, person)
    }
    return [...people.values()]
  }
  const people = withProse(read(false), lines, headings, page, teamPage)
  // If a team page lists no other people, the people in "testimonial" blocks or beside quotations are the team.
  return people.length === 0 && teamPage ? read(true) : people
}

/** Adds people who are introduced in sentences, and titles from sentences for people without a title in the layout. */
function withProse(
  shown: PagePerson[],
  lines: readonly Line[],
  headings: readonly Line[][],
  page: Page,
  teamPage: boolean,
): PagePerson[] {
  if (FOREIGN_PATH.test(new URL(page.url).pathname)) return shown
  const told = readProsePeople(lines).filter(({ name, title, line }) => {
    const atom = { text: name, el: line.el, line, row: lines.indexOf(line), part: '', name: 1, title: 0 }
    return !FORMER.test(title) && foreignReason(atom, [], headings[atom.row] ?? []) === null
  })
  const confidence = told.length > 1 ? (teamPage ? 0.85 : 0.8) : teamPage ? 0.7 : 0.6
  const titled = new Set(shown.filter(({ title }) => title).map(({ name }) => nameKey(name)))
  const added = told
    .filter(({ name }) => !titled.has(nameKey(name)))
    .map(({ name, title, line }) => ({ name, title, confidence, card: line.el }))
  const replaced = new Set(added.map(({ name }) => nameKey(name)))
  return [...shown.filter(({ name }) => !replaced.has(nameKey(name))), ...added]
}

const isWeak = (reason: string): boolean => reason === BLOCK_OF_OTHERS || reason === BESIDE_QUOTATION

const rank = ({ title, confidence }: PagePerson): number => (title ? 1 : 0) + confidence

function judge(
  pair: Pair,
  atoms: readonly Atom[],
  headings: readonly Line[],
  page: Page,
  teamPage: boolean,
  lenient: boolean,
): PagePerson | null {
  const { card, title, peers, agreeing } = pair
  const around = atoms.slice(Math.max(card.inside[0], card.index - 6), Math.min(card.inside[1], card.index + 8) + 1)
  const reason = foreignReason(card.atom, around, headings)
  if (reason && !(lenient && isWeak(reason) && agreeing >= 3 && !around.some(isFirstPerson))) return null
  if (title && FORMER.test(title.text)) return null
  const team = teamPage || headings.some(({ text }) => isTeamHeading(text))
  if (!title && !isStaffPage(page, headings)) return null
  const confidence = confidenceOf(pair, team, introduces(atoms[card.index + 1], card.atom.text))
  if (confidence < 0.5) return null
  if (FOREIGN_PATH.test(new URL(page.url).pathname) && (peers < 2 || agreeing < 2)) return null
  return {
    name: card.atom.text,
    title: title ? withoutLabel(title.text) : null,
    confidence,
    card: card.card,
  }
}

/**
 * Whether the running text after a name is about that person, because it repeats the name or starts in the first
 * person.
 */
function introduces(next: Atom | undefined, name: string): boolean {
  if (!next || next.text.length < 60) return false
  const parsed = parseName(name)
  const opening = next.text.slice(0, 80).toLowerCase()
  return (
    [parsed?.first_name, parsed?.last_name].some(
      (part) => part && part.length > 2 && opening.includes(part.toLowerCase()),
    ) || /^(hi|hello|hey|i['’]m|i am|my name)\b/.test(opening)
  )
}

/** Whether running text is in the first person, which is common in testimonials and rare in biographies. */
const isFirstPerson = ({ text }: Atom): boolean => text.length > 40 && /\b(I|I['’]m|I['’]ve|my|me|we|us)\b/i.test(text)

function confidenceOf({ card, title, peers, agreeing, known, sure }: Pair, team: boolean, introduced: boolean): number {
  const { name, line } = card.atom
  const share = agreeing / Math.max(peers, 1)
  if (!title) {
    // A person without a title is accepted among people with titles, or in a plain list under a staff heading.
    if (agreeing >= 2 && share >= 0.5 && (name >= 0.75 || (name >= 0.6 && share >= 0.8))) return 0.65
    const alone = line.text.length === card.atom.text.length
    if (team && peers >= 5 && known >= 0.7 && alone && name >= (line.heading > 0 ? 0.75 : 0.6)) return 0.55
    if (team && peers >= 3 && name >= 0.6 && introduced && alone) return 0.6
    return team && peers >= 3 && name >= 0.6 && known >= 0.5 && agreeing === 0 && alone ? 0.55 : 0
  }
  let score = peers >= 3 && share >= 0.5 ? 0.95 : peers === 2 && share >= 0.5 ? 0.88 : share >= 0.5 ? 0.7 : 0.5
  if (!team) score -= peers >= 3 ? 0.05 : 0.15
  // Two unknown capitalized words above a line without a known occupation are usually a heading above text,
  // particularly outside team pages.
  const isAnyHeading = name < 0.75 && known < 0.5 && !hasSureRole(title.text)
  if (isAnyHeading && (!team || (known === 0 && peers < 3))) score -= 0.5
  if (name < 0.9) score -= peers >= 2 ? 0.03 : 0.15
  // Even if few people on a team page have titles, the people with recognizable titles are certain.
  if (
    team &&
    sure &&
    title.title >= 0.85 &&
    (name >= 0.75 || (name >= 0.6 && known >= 0.5)) &&
    Math.abs(title.row - card.atom.row) <= 2
  )
    score = Math.max(score, 0.6)
  if (!sure && title.title < 0.5 && name < 0.75 && share < 0.8) score -= 0.4
  else if (!sure) score -= share < 0.6 ? 0.3 : 0.1
  if (peers === 1 && Math.abs(title.row - card.atom.row) > 1) score -= 0.25
  return score
}

/** Returns the headings of the sections that contain each line, innermost first. */
function headingsAbove(lines: readonly Line[], atoms: readonly Atom[]): Line[][] {
  // Names and titles in heading elements do not start sections.
  const own = new Set(atoms.filter(({ name, title }) => name >= 0.5 || title >= 0.65).map(({ line }) => line))
  let open: Line[] = []
  return lines.map((line) => {
    const above = open
    if (line.heading > 0 && !own.has(line)) open = [line, ...open.filter(({ heading }) => heading < line.heading)]
    return above
  })
}

/**
 * Whether the page's path or title, or a heading, mentions staff. Names without titles are accepted only on such pages.
 */
const isStaffPage = ({ url, $ }: Page, headings: readonly Line[]): boolean =>
  [
    decodeURIComponent(new URL(url).pathname).replace(/[-_/.]/g, ' '),
    $('title').first().text(),
    ...headings.map(({ text }) => text),
  ].some((text) => STAFF.test(text) && isTeamHeading(text))

function isTeamPage({ url, $ }: Page, lines: readonly Line[]): boolean {
  const path = decodeURIComponent(new URL(url).pathname).replace(/[-_/.]/g, ' ')
  return (
    isTeamHeading(path) ||
    isTeamHeading($('title').first().text().slice(0, 80)) ||
    lines.some(({ heading, text }) => heading === 1 && isTeamHeading(text))
  )
}
