import { sum } from '../../../lib/sum.ts'
import type { Page } from '../../extract/page.ts'
import { tidy } from '../../extract/page.ts'
import { labelOf, squeeze } from '../own-name.ts'
import type { Mention } from './organisations.ts'
import { mentionsIn } from './organisations.ts'
import type { Statement } from './statements.ts'
import { statementsOf } from './statements.ts'

/** The text of all pages of a company's site. The home page is first. */
export interface SiteText {
  domain: string
  pages: readonly Page[]
  statements: readonly Statement[]
  /** Titles, by page. */
  titles: readonly string[]
  /** Words from the company's own names, without spaces; filled in once the names are known. */
  ownWords: Set<string>
  /** The company's names, filled in once they are known. */
  names: Set<string>
  now: Date
}

/** A span in a statement that may contain a fact. */
export interface Span {
  statement: Statement
  /** Index of the statement in the site's list. */
  at: number
  start: number
  end: number
}

/** Maximum number of characters in the statements of all pages. */
const MAX_SITE_TEXT = 1_000_000

export function readSiteText(pages: readonly Page[], domain: string, now: Date): SiteText {
  let left = MAX_SITE_TEXT
  const statements = pages.flatMap((page, index) => {
    const found = statementsOf(page, index, left)
    left -= sum(found.map(({ text }) => text.length))
    return found
  })
  return {
    domain,
    pages,
    statements,
    titles: pages.map(({ $ }) => tidy($('head > title').first().text() || $('title').first().text())),
    ownWords: new Set([labelOf(domain)]),
    names: new Set(),
    now,
  }
}

const MIN_OWN_WORD = 3

/** Adds one of the company's names, so mentions of it are not mistaken for another organization. */
export function addOwnName(site: SiteText, name: string): void {
  for (const word of name.split(/[\s,]+/u)) {
    const plain = squeeze(word)
    if (plain.length >= MIN_OWN_WORD || /[^\p{ASCII}]/u.test(plain)) site.ownWords.add(plain)
  }
  site.ownWords.add(squeeze(name))
  site.names.add(name)
}

/**
 * Returns whether a name is the company's: the name shares a word with the company's other names or with the domain.
 */
export function isOwnName(site: SiteText, name: string): boolean {
  const words = name
    .split(/[\s,]+/u)
    .map(squeeze)
    .filter(({ length }) => length >= MIN_OWN_WORD)
  const whole = squeeze(name)
  return (
    words.some((word) => site.ownWords.has(word)) ||
    [...site.ownWords].some(
      (own) => own.length >= MIN_OWN_WORD && (whole.includes(own) || (whole.length > 3 && own.includes(whole))),
    )
  )
}

/** Finds mentions of other organizations in text. */
export const othersIn = (site: SiteText, text: string): Mention[] =>
  mentionsIn(text).filter(({ name }) => !isOwnName(site, name))

/**
 * Returns the sentence around a span. Abbreviations such as `Ltd.` before a capital letter also count as the end of a
 * sentence.
 */
export function sentenceOf({ statement, start, end }: Span): { text: string; from: number } {
  const { text } = statement
  const before = [...text.slice(0, start).matchAll(/[.!?。！？](?=\s+[\p{Lu}\p{Lo}"“„«]|[^\s\d.!?])\s*/gu)].at(-1)
  const from = before ? before.index + before[0].length : 0
  const after = /[.!?。！？](?=\s|$|[^\s\d])/u.exec(text.slice(end))
  return { text: text.slice(from, after ? end + after.index + 1 : undefined), from }
}
