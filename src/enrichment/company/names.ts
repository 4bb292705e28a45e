import type { Page } from '../extract/page.ts'
import { linesOf, textOf } from '../extract/page.ts'
import { copyrightHolder, hasLegalForm, withoutLegalForm } from './legal-name.ts'
import { labelOf, squeeze } from './own-name.ts'

/**
 * Returns the part of a text that matches the domain, such as `Acme` in `Acme | Tools that last`. Returns the whole
 * text if no part matches.
 */
export function namePartOf(text: string, domain: string): string {
  const label = labelOf(domain)
  return nameParts(text, label).find((part) => fits(part, label)) ?? text
}

/**
 * Returns the company's name in a page title: the part that matches the domain, such as `Acme Capital` in `About us |
 * Acme Capital`.
 */
export function nameInTitle({ $ }: Page, domain: string): string | undefined {
  const title = textOf($('head > title').first()) || $('title').first().text().trim()
  const label = labelOf(domain)
  const parts = nameParts(title, label)
  return parts.find((part) => fits(part, label))
}

/**
 * Finds the company's name on a page whose title does not contain it. Tries logo texts, headings and the copyright
 * line, and returns the first name that matches the domain.
 */
export function nameOnPage({ $ }: Page, domain: string): string | undefined {
  const label = labelOf(domain)
  const logos = $(
    'header img[alt], [class*="logo" i] img[alt], img[class*="logo" i][alt], img[src*="logo" i][alt], a[href="/"] img[alt]',
  )
    .toArray()
    .map((image) => ($(image).attr('alt') ?? '').replace(/\s*\blogo\b\s*/i, ' ').trim())
  const headings = $('h1, [class*="site-title" i], [class*="brand" i]')
    .slice(0, 6)
    .toArray()
    .map((node) => textOf(node))
  const footer = linesOf($('footer, [class*="footer" i], [id*="footer" i]'))
    .filter((line) => /©|copyright/i.test(line))
    .map((line) => copyrightHolder(line).replace(/\.$/, ''))
  return [...logos, ...headings, ...footer].flatMap((text) => nameParts(text, label)).find((part) => fits(part, label))
}

/** Matches words before a name in titles. */
const BEFORE_NAME =
  /^(?:welcome to|about|home of|contact|(?:team|careers|jobs|life|work|working|people) at|who we are at|the team at)\s+/i
const AFTER_NAME =
  /\s+(?:official (?:web)?site|website|home ?page|support|fact ?sheet|at a glance|careers|blog|news(?:room)?|contact(?: us)?|about(?: us)?|locations|is for sale)$/i

function nameParts(text: string, label: string): string[] {
  const parts = text
    .split(/\s+[|·•–—:«»]\s+|\s+-\s+|:\s+|\s+\|\s*|\s*\|\s+/)
    .map((part) => part.replace(BEFORE_NAME, '').replace(AFTER_NAME, '').trim())
    .filter((part) => part.length > 1 && part.length < 70)
  // A comma may separate a name from a tagline (`Acme Builders, custom homes in Ghent`) or be part of the name.
  return parts.flatMap((part) => {
    const pieces = part.split(/\s*[,.]\s+/)
    const piece = hasLegalForm(part) ? undefined : pieces.find((one) => fits(one, label))
    return piece === undefined ? [part, ...pieces] : [piece]
  })
}

/**
 * Whether a name matches the domain's label: they are equal, one starts with the other, or the label is the name's
 * initials.
 */
function fits(part: string, label: string): boolean {
  const whole = squeeze(part)
  const bare = squeeze(withoutLegalForm(part))
  const initials = squeeze(
    part
      .split(/\s+/)
      .map((word) => word[0] ?? '')
      .join(''),
  )
  if (label.length < 2) return false
  return (
    whole === label ||
    bare === label ||
    (label.length >= 4 && whole.startsWith(label)) ||
    (bare.length >= 5 && label.startsWith(bare)) ||
    (label.length >= 3 && initials === label)
  )
}
