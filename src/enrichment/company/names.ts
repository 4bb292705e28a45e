import { hasLegalForm, withoutLegalForm } from './legal-name.ts'
import { labelOf, squeeze } from './own-name.ts'

/**
 * Returns the part of a text that matches the domain, such as `Acme` in `Acme | Tools that last`. Returns the whole
 * text if no part matches.
 */
export function namePartOf(text: string, domain: string): string {
  const label = labelOf(domain)
  return nameParts(text, label).find((part) => fits(part, label)) ?? text
}

/** Matches words that precede the name in titles. */
const BEFORE_NAME =
  /^(?:welcome to|about|home of|contact|(?:team|careers|jobs|life|work|working|people) at|who we are at|the team at)\s+/i
const AFTER_NAME =
  /\s+(?:official (?:web)?site|website|home ?page|support|fact ?sheet|at a glance|careers|blog|news(?:room)?|contact(?: us)?|about(?: us)?|locations|is for sale)$|(?:官网|官方网站|官方網站|公式サイト|公式ホームページ|ホームページ)$/i

/** Matches the names of three or more partners. */
const PARTNERS =
  /^\p{Lu}[\p{L}'’-]+(?:, \p{Lu}[\p{L}'’-]+)+,? (?:&|\+|and|und|et|y|e|i|og|och|en|ja|a|ir|és) \p{Lu}[\p{L}'’-]+/u

/** Returns the parts of a title or heading that may be the company's name. */
export function nameParts(text: string, label: string): string[] {
  const parts = text
    .split(/\s+[|·•–—:«»]\s+|\s+-\s+|:\s+|\s+\|\s*|\s*\|\s+/)
    .map((part) => part.replace(BEFORE_NAME, '').replace(AFTER_NAME, '').trim())
    .filter((part) => part.length > 1 && part.length < 70)
  // A comma may separate a name from a tagline (`Acme Builders, custom homes in Ghent`) or be part of the name.
  return parts.flatMap((part) => {
    const pieces = part.split(/\s*[,.]\s+/)
    const piece = hasLegalForm(part) ? undefined : pieces.find((one) => fits(one, label))
    if (piece === undefined) return [part, ...pieces]
    // The comma may separate the names of partners, as in `Bell, Cho & Diaz`.
    return PARTNERS.test(part) ? [piece, part] : [piece]
  })
}

/**
 * Returns whether a name matches the domain's label: they are equal, one starts with the other, or the label is the
 * name's initials.
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
