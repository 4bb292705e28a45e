import type { Element } from 'domhandler'
import { readAlternatives, readPattern } from '../../vocabulary/read-words.ts'
import type { Atom } from './page-atoms.ts'
import type { Line } from './page-lines.ts'

/**
 * Matches headings of sections about vacancies or about people outside the company, such as customers, authors,
 * speakers and former staff.
 */
const FOREIGN_HEADING = readPattern('headings/of-others', {
  flags: 'i',
  or: /(happy|satisfied|trusted by|loved by) (our |by |many )?(clients|customers|patients|students|users)|what (our |your |my )?(clients|customers|people|others|patients|students|users|partners).* (say|think|are saying)|(clients?|customers?|users?|patients?|students?|people) (say|love|stories|are saying|voices)|\b(^speakers)\b|\b(we.re hiring)\b|offres d.emploi/i,
})
/**
 * Matches headings of sections about the company's people, such as `Our team of product specialists`. They take
 * precedence over the pattern above.
 */
export const TEAM_HEADING = readPattern('headings/of-teams', { flags: 'i' })

/** Matches words for staff. Excludes `partners`, `contacts` and `about us`, because they may refer to other people. */
export const STAFF = readPattern('headings/of-staff', { flags: 'i' })

const FOREIGN_CLASS = new RegExp(
  `(^|[\\s_-])(${readAlternatives('page/classes-of-others')}|cookie\\w*)([\\s_-]|$)`,
  'i',
)
const FOREIGN_ITEM = /(Review|Article|Posting|Comment|Event|Product|Quotation|Rating)$/
const DATE_LINE =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.? \d{1,2}(st|nd|rd|th)?,? (19|20)\d\d\b|\b\d{1,2} (jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?,? (19|20)\d\d\b|\b(19|20)\d\d-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./](19|20)\d\d\b|\bmin(ute)?s? read\b|\b\d+ (hours?|days?|weeks?|months?) ago\b/i
const BYLINE =
  /^(by|written by|posted by|author:?|von|par|por|words by|reviewed by|hosted by|moderated by|interview(ed)? (by|with)|photo(graph)?s? by|credit)\b/i
const QUOTE = /^[“"«„『「].{25}|.{25}[”"»』」]$/s

/**
 * Reasons that can also apply to staff, because page builders use such classes for blocks of staff and format mottos
 * and biographies as quotations.
 */
export const BLOCK_OF_OTHERS = 'in a block of others'
export const BESIDE_QUOTATION = 'beside a quotation'

/** Returns the reason why the person with this name is not one of the company's people; null if there is none. */
export function foreignReason(name: Atom, around: readonly Atom[], headings: readonly Line[]): string | null {
  const heading = headings.find(({ text }) => TEAM_HEADING.test(text) || FOREIGN_HEADING.test(text))
  if (heading && FOREIGN_HEADING.test(heading.text) && !isTeamHeading(heading.text))
    return `under "${heading.text.slice(0, 60)}"`
  for (let el: Element | null = name.el, up = 0; el && up < 7; el = el.parent as Element | null, up++) {
    if (el.name === 'blockquote' || el.name === 'q') return 'in a quotation'
    if (el.name === 'address') return 'in an address'
    if (FOREIGN_ITEM.test(el.attribs?.['itemtype'] ?? '')) return 'in an item of others'
    if (
      el.attribs &&
      el.name !== 'body' &&
      el.name !== 'html' &&
      FOREIGN_CLASS.test(`${el.attribs['class'] ?? ''} ${el.attribs['id'] ?? ''}`)
    )
      return BLOCK_OF_OTHERS
  }
  if (around.some(({ line }) => DATE_LINE.test(line.text) && line.text.length < 90)) return 'beside a date'
  if (
    around.some(
      ({ line }) => line.el.name === 'blockquote' || hasAncestor(line.el, 'blockquote') || QUOTE.test(line.text),
    )
  )
    return BESIDE_QUOTATION
  if (BYLINE.test(name.line.text)) return 'a byline'
  return null
}

/** Whether a heading introduces the company's people. */
export function isTeamHeading(text: string): boolean {
  return (
    TEAM_HEADING.test(text) &&
    !/\b(client|customer|partner|patient|student)s? (stories|say|testimonials|love|voices|success)|testimonial|join (us|our)|former|alumni|blog|news\b|careers?|open (positions|roles)|what .* say|in memoriam|case stud|speakers|hiring/i.test(
      text,
    )
  )
}

function hasAncestor(el: Element, name: string): boolean {
  for (let node: Element | null = el, up = 0; node && up < 4; node = node.parent as Element | null, up++)
    if (node.name === name) return true
  return false
}
