import type { Element } from 'domhandler'
import type { Probabilities } from '../../classifier/classifier.ts'
import type { Mention } from '../models/classify-mention.ts'
import { ownMention } from '../models/classify-mention.ts'
import type { SectionKind } from '../models/classify-section.ts'
import { classifySection } from '../models/classify-section.ts'
import { classifyText } from '../models/classify-text.ts'
import { scoreName } from '../names/score-name.ts'
import { hasSureRole } from '../titles/classify-seniority.ts'
import { scoreTitle } from '../titles/score-title.ts'
import { nameKey } from './name-key.ts'
import { hasGivenName, plainName } from './name-shape.ts'
import type { NameSpan } from './name-span.ts'
import type { Line } from './page-lines.ts'
import type { Surroundings } from './surroundings.ts'
import { classesAbove, columnsAround, hasAncestor, squash, strongestWords } from './surroundings.ts'
import type { TitleSpan } from './title-span.ts'
import { RELATIONS } from './title-span.ts'

/** A name paired with one of its possible titles. */
export interface Pair {
  name: NameSpan
  title: TitleSpan
  /** The innermost heading above the name. */
  heading: Line | undefined
  values: Record<string, number>
}

export interface ScoredPair {
  pair: Pair
  probability: number
}

const OPENED = /^[“"«„『「].{20}/su
const CLOSED = /.{20}[”"»』」]\.?$/su
/** Maximum length of the end that `CLOSED` matches. */
const CLOSED_LENGTH = 22
const isQuote = (text: string): boolean => OPENED.test(text) || CLOSED.test(text.slice(-CLOSED_LENGTH))
const DATE = /\b(?:19|20)\d\d\b/u
const TELEPHONE = /\+?\d[\d\s()./-]{6,}\d/u
/** Matches years of birth and death, or a dagger. */
const LIFE = /\(?\b1[89]\d\d\s?[-–—]\s?(?:19|20)\d\d\b|†/u
/** Matches a preposition and a capitalized word, which indicate an employer: `of Acme`. */
const EMPLOYER = /^\s*(?:,|\(|of|at|bei|von|chez|de|en|di|da|van|på|hos|w|v|do|dos|der|du)\s*\p{Lu}/u
const COMPANY =
  /\b(?:inc|llc|llp|ltd|limited|plc|gmbh|ag|kg|sa|s\.a\.|s\.l\.|srl|s\.r\.l\.|spa|s\.p\.a\.|bv|b\.v\.|nv|ab|oy|as|a\/s|aps|sp\. z|s\.r\.o\.|kft|zrt|d\.o\.o|corp|co|cie|company|group|holding|bank|university|universit\p{L}+|hospital|college|institut\p{L}*)\b\.?|株式会社|有限公司|㈜/iu

/** Computes the features of a name, which all its pairs share. */
export function measureName(
  name: NameSpan,
  lines: readonly Line[],
  spansByRow: ReadonlyMap<number, readonly NameSpan[]>,
  around: Surroundings,
  isTeamPage: boolean,
): Record<string, number> {
  const { line, row } = name
  const plain = plainName(name.text)
  const kinds = classifyText(plain)
  const words = plain.split(/\s+/u)
  const headings = around.above[row] ?? []
  const sections = headings.slice(0, 3).map(({ text }) => classifySection(text.slice(0, 60)))
  const near = lines.slice(Math.max(0, row - 2), row + 3)
  const before = lines[row - 1]?.text ?? ''
  const classes = classesAbove(name.el)
  const columns = columnsAround(line)
  const context = classifySection(contextOf(name))
  const heading = strongestWords(headings[0]?.heading ? headings[0].text : '')
  return {
    nameKnown: scoreName(name.text),
    nameLetters: kinds.name,
    nameIsTitle: kinds.title,
    given: hasGivenName(name.text) ? 1 : 0,
    words: words.length,
    capitals: /\p{Ll}/u.test(plain) || !/\p{Lu}/u.test(plain) ? 0 : 1,
    cased: /\p{Lu}/u.test(plain) ? 1 : 0,
    decorated: plain.length < name.text.length ? 1 : 0,
    wholeLine: name.form === 'line' ? 1 : 0,
    inverted: name.form === 'inverted' ? 1 : 0,
    prose: name.form === 'prose' ? 1 : 0,
    part: name.form === 'part' ? 1 : 0,
    start: name.start > 0 ? 1 : 0,
    heading: line.heading,
    alt: line.alt ? 1 : 0,
    linked: hasAncestor(name.el, (el) => el.name === 'a', 3) ? 1 : 0,
    emphasized: hasAncestor(name.el, (el) => /^(?:b|strong|h\d|th|dt)$/u.test(el.name), 4) ? 1 : 0,
    cell: /^t[dh]$/u.test(line.el.name) ? 1 : 0,
    lineLength: Math.min(line.text.length, 400),
    own1: sections[0]?.own ?? 0,
    others1: sections[0]?.others ?? 0,
    own2: sections[1]?.own ?? 0,
    others2: sections[1]?.others ?? 0,
    ownAbove: Math.max(0, ...sections.map(({ own }) => own)),
    othersAbove: Math.max(0, ...sections.map(({ others }) => others)),
    pathOwn: around.path.own,
    pathOthers: around.path.others,
    pageTitleOwn: around.title.own,
    pageTitleOthers: around.title.others,
    topOwn: around.topHeading.own,
    topOthers: around.topHeading.others,
    pageOwn: Math.max(around.path.own, around.title.own, around.topHeading.own, isTeamPage ? 1 : 0),
    isHome: around.isHome ? 1 : 0,
    classOwn: classes.own,
    classOthers: classes.others,
    columnOwn: columns.own,
    columnOthers: columns.others,
    contextOwn: context.own,
    contextOthers: context.others,
    quoteNear: near.some(({ text }) => isQuote(text)) || isQuote(before) ? 1 : 0,
    quoted: hasAncestor(name.el, (el) => /^(?:blockquote|q|cite)$/u.test(el.name), 7) ? 1 : 0,
    item: hasAncestor(
      name.el,
      (el) => /(?:Review|Article|Posting|Comment|Event|Product|Rating)$/u.test(el.attribs?.['itemtype'] ?? ''),
      7,
    )
      ? 1
      : 0,
    addressed: hasAncestor(name.el, (el) => /^(?:address|article|aside|footer)$/u.test(el.name), 7) ? 1 : 0,
    listed: hasAncestor(name.el, (el) => /^(?:li|tr|dl|figure)$/u.test(el.name), 5) ? 1 : 0,
    dateNear: near.some(({ text }) => text.length < 90 && DATE.test(text)) ? 1 : 0,
    phoneNear: near.some(({ text }) => text.length < 90 && (TELEPHONE.test(text) || text.includes('@'))) ? 1 : 0,
    life: near.slice(1).some(({ text }) => LIFE.test(text.slice(0, 120))) ? 1 : 0,
    companyNear: COMPANY.test(line.text.slice(Math.max(0, name.start - 60), name.end + 100)) ? 1 : 0,
    nameAbove: isNameRow(spansByRow.get(row - 1)),
    nameBelow: isNameRow(spansByRow.get(row + 1)),
    verdict: verdictOf(sections),
    firstPerson: near.some(({ text }) => text.length > 40 && FIRST_PERSON.test(text)) ? 1 : 0,
    longAbove: before.length > 40 && /[.!?”"»“]$/u.test(before) ? 1 : 0,
    inDomain:
      around.host.length > 4 &&
      squash(plain).length > 4 &&
      (around.host.startsWith(squash(plain)) || squash(plain).startsWith(around.host)) &&
      !hasGivenName(plain)
        ? 1
        : 0,
    longBelow: (lines[row + 1]?.text.length ?? 0) > 80 || (lines[row + 2]?.text.length ?? 0) > 80 ? 1 : 0,
    depth: headings.length,
    headingWordOwn: heading.own,
    headingWordOthers: heading.others,
    ownMention: ownMention(mentionOf(name, lines, around)),
    footer: hasAncestor(name.el, (el) => el.name === 'footer' || el.attribs['role'] === 'contentinfo', 8) ? 1 : 0,
    companyOnLine: around.companies.some((company) =>
      squash(line.text.slice(Math.max(0, name.start - 120), name.end + 160)).includes(company),
    )
      ? 1
      : 0,
    ...wordsAround(name),
    ...detailsOf(name, lines, spansByRow, around.host),
  }
}

const MAX_BESIDE = 160

/** Returns the texts around a name. */
export function mentionOf(
  { line, row, start, end }: NameSpan,
  lines: readonly Line[],
  { above }: Surroundings,
): Mention {
  return {
    before: line.text.slice(Math.max(0, start - MAX_BESIDE), start),
    after: line.text.slice(end, end + MAX_BESIDE),
    above: (lines[row - 1]?.text ?? '').slice(-MAX_BESIDE),
    below: (lines[row + 1]?.text ?? '').slice(0, MAX_BESIDE),
    heading: above[row]?.[0]?.text.slice(0, 80) ?? '',
  }
}

/** Maximum number of lines after a name that may contain the name's contact data or price. */
const MAX_DETAILS = 5

/**
 * Describes the contact data and amounts of money between a name and the next name: staff have telephones and mailboxes,
 * whereas products have prices.
 */
function detailsOf(
  { row, text }: NameSpan,
  lines: readonly Line[],
  spansByRow: ReadonlyMap<number, readonly NameSpan[]>,
  host: string,
): Record<string, number> {
  let end = row + 1
  while (end <= row + MAX_DETAILS && end < lines.length && !isNameRow(spansByRow.get(end))) end++
  const own = lines.slice(row, end)
  const short = own.filter((line) => line.text.length < MAX_DETAIL)
  const addresses = own.flatMap(({ contacts }) => contacts.filter((href) => /^mailto:/iu.test(href)))
  for (const line of short) addresses.push(...(line.text.match(MAILBOX) ?? []))
  const words = squashedWords(text)
  return {
    mailNear: addresses.length > 0 ? 1 : 0,
    mailOwn: addresses.some((address) => squash(address.replace(/^[^@]*@/u, '')).startsWith(host)) ? 1 : 0,
    mailOfName: addresses.some((address) => isOfName(address, words)) ? 1 : 0,
    telephone:
      own.some(({ contacts }) => contacts.some((href) => /^tel:/iu.test(href))) ||
      short.some((line) => TELEPHONE.test(line.text))
        ? 1
        : 0,
    price: short.some((line) => PRICE.test(line.text)) ? 1 : 0,
    detailRows: own.length,
    detailLetters: Math.max(0, ...own.slice(1).map((line) => line.text.length)),
  }
}

/** Maximum length of a line that may contain the name's contact data or price as text. */
const MAX_DETAIL = 120
const MAILBOX = /[^\s@]{1,64}@[^\s@]+\.\p{L}{2,}/gu
const PRICE =
  /[€$£¥₩₹₺₽]\s?\d|\d\s?(?:[€$£¥₩₹₺₽]|(?:kr|z[lł]|k[cč]|ft|lei|eur|usd|chf|gbp|sek|nok|dkk|pln|czk|huf|ron|тг|руб|грн|лв)(?!\p{L}))|(?:kr|chf|eur|rp|rm|rs)\.?\s?\d/iu

const squashedWords = (name: string): string[] =>
  plainName(name)
    .split(/[\s-]+/u)
    .map(squash)
    .filter((word) => word.length > 2)

/** Returns whether a mailbox contains a word of a name. */
function isOfName(address: string, words: readonly string[]): boolean {
  const mailbox = squash(address.replace(/^mailto:/iu, '').replace(/@.*$/su, ''))
  return words.some((word) => mailbox.includes(word))
}

/** Describes the words next to a name. A preposition before a name often precedes a place or an employer. */
function wordsAround({ line, start, end }: NameSpan): Record<string, number> {
  const before = /(\p{L}+)\s*$/u.exec(line.text.slice(Math.max(0, start - 40), start))?.[1] ?? ''
  const after = /^\s*(\p{L}+)/u.exec(line.text.slice(end, end + 40))?.[1] ?? ''
  return {
    lowerBefore: /^\p{Ll}/u.test(before) ? before.length : 0,
    lowerAfter: /^\p{Ll}/u.test(after) ? after.length : 0,
    fromEnd: Math.min(line.text.length - end, 200),
  }
}

/**
 * Returns the likelihood that the nearest clear heading introduces other people, minus the likelihood that the heading
 * introduces the company's people.
 */
const verdictOf = (sections: readonly Probabilities<SectionKind>[]): number => {
  const clear = sections.find(({ own, others }) => Math.max(own, others) > 0.55)
  return clear ? clear.others - clear.own : 0
}

/**
 * Matches first-person text in English, which is common in testimonials and rare in biographies. `I` must be a capital,
 * because `i` is a conjunction or a preposition in many languages. Biographies contain `came to us` and `joined us`.
 */
const FIRST_PERSON =
  /(?<![\p{L}\p{M}])(?:I|I['’]m|I['’]ve|[Mm]y|[Mm]e|[Ww]e|(?<!(?:to|with|join|joined)\s)[Uu]s)(?![\p{L}\p{M}])/u

/** Returns 1 if a line starts with a name, otherwise 0. */
const isNameRow = (spans: readonly NameSpan[] = []): number =>
  spans.some(({ score, form, start }) => score > 0.5 && start === 0 && form !== 'prose') ? 1 : 0

/** Returns the words before a name on its line, or the previous line if there are none. */
function contextOf({ line, start }: NameSpan): string {
  const words = line.text
    .slice(0, start)
    .replace(/^.*[.;!?]\s/u, '')
    .trim()
    .split(/\s+/u)
    .filter(Boolean)
  return words.slice(-4).join(' ')
}

/** Computes the features of one possible title of a name. */
export function measureTitle(
  { line: own, el }: NameSpan,
  title: TitleSpan,
  names: ReadonlyMap<Element, number>,
): Record<string, number> {
  const kinds = classifyText(title.text)
  const section = classifySection(title.text)
  const [levels, common] = title.line && title.line !== own ? commonAncestor(el, title.line.el) : [0, el]
  const relations = Object.fromEntries(RELATIONS.map((one) => [one, title.relation === one ? 1 : 0]))
  return {
    ...relations,
    rows: title.rows,
    titleKnown: title.text === '' ? 0 : scoreTitle(title.text),
    titleLetters: title.text === '' ? 0 : kinds.title,
    titleIsName: title.text === '' ? 0 : kinds.name,
    sureRole: title.text !== '' && hasSureRole(title.text) ? 1 : 0,
    titleWords: title.text === '' ? 0 : title.text.split(/\s+/u).length,
    titleLower: /^\p{Ll}/u.test(title.text) ? 1 : 0,
    titleSentence: /[.!?]$/u.test(title.text) ? 1 : 0,
    joins: joinsIn(title.text),
    tailTitle: tailOf(title.text),
    commaTitle: lastPartOf(title.text),
    levels,
    namesAround: Math.min(names.get(common) ?? 1, 12),
    definition: title.line ? definition(own.el, title.line.el, title.relation) : 0,
    titleEmployer:
      /\p{Ll}\s(?:\p{Ll}{1,4}\s)?(?:\p{Lu}\p{Ll}+\s?){1,3}/u.test(title.text) && /^\p{Ll}/u.test(title.text) ? 1 : 0,
    titleHeading: title.line?.heading ?? 0,
    headingStep: title.line && title.line !== own ? own.heading - title.line.heading : 0,
    titleDigits: /\d/u.test(title.text) ? 1 : 0,
    titleOthers: title.text === '' ? 0 : section.others,
    gap: title.gap,
    shared: title.isShared ? 1 : 0,
    titleEndLower: /\s(\p{Ll}{1,4})$/u.exec(title.text)?.[1]?.length ?? 0,
    employer: EMPLOYER.test(title.rest) ? 1 : 0,
    restLength: Math.min(title.rest.length, 100),
    company: COMPANY.test(title.text) || COMPANY.test(title.rest.slice(0, 80)) ? 1 : 0,
    sameParent: title.line && title.line.el.parent === own.el.parent ? 1 : 0,
    sameRow: title.line && title.line !== own && title.line.el.parent === own.el.parent && own.el.name === 'td' ? 1 : 0,
  }
}

const JOIN = /\s(?:\p{Ll}{1,6})\s/u

/** Returns the number of short lower-case words within a title. */
const joinsIn = (text: string): number => text.split(JOIN).length - 1

/** Returns the likelihood that the words after the first short lower-case word also form a title. */
const tailOf = (text: string): number => {
  const tail = text.split(JOIN).slice(1).join(' ')
  return tail === '' ? 1 : classifyText(tail).title
}

/** Returns the likelihood that the words after the last comma or preposition `at` also form a title: an employer does not. */
const lastPartOf = (title: string): number => {
  const part = /^.*(?:[,，|(–—@]|\s(?:at|bei|chez|bij|hos|w|u|presso|na|en|em)\s)(.*)$/u.exec(title)?.[1]?.trim() ?? ''
  return part === '' ? 1 : classifyText(part).title
}

const MAX_LEVELS = 12

/** Returns the nearest common ancestor of two elements, and the number of levels up to it. */
function commonAncestor(one: Element, other: Element): [number, Element] {
  const above = new Set<Element>()
  for (let node: Element | null = other, up = 0; node && up < MAX_LEVELS; node = node.parent as Element | null, up++)
    above.add(node)
  let levels = 0
  for (let node: Element | null = one; node && levels < MAX_LEVELS; node = node.parent as Element | null, levels++)
    if (above.has(node)) return [levels, node]
  return [MAX_LEVELS, one]
}

/** Returns 1 if a name and a title are a term and its definition, and -1 if they belong to different terms. */
function definition(name: Element, title: Element, relation: string): number {
  if (name.name === 'dt') return title.name === 'dd' && relation === 'below' ? 1 : -1
  if (name.name === 'dd') return title.name === 'dt' && relation === 'above' ? 1 : title.name === 'dd' ? 0 : -1
  return 0
}

/** Counts the names in each element, up to a given number of levels above each name. */
export function countNames(names: readonly NameSpan[]): Map<Element, number> {
  const counts = new Map<Element, Set<string>>()
  for (const { el, text, score } of names) {
    if (score < 0.45) continue
    for (let node: Element | null = el, up = 0; node && up < MAX_LEVELS; node = node.parent as Element | null, up++)
      counts.set(node, (counts.get(node) ?? new Set()).add(nameKey(text)))
  }
  return new Map([...counts].map(([el, keys]) => [el, keys.size]))
}
