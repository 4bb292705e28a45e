import { foldAccents } from '../../lib/fold-accents.ts'

/** Reduces a name to lower-case letters and digits, for comparison with a domain. */
export const squeeze = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^\p{Letter}\p{Number}]/gu, '')

/** Returns the name in a domain: `acmecapital` for `acme-capital.com`. */
export const labelOf = (domain: string): string => squeeze(domain.split('.')[0] ?? '')

/** Matches the subject of a sentence about founding, staff or headquarters: a capitalized name before the verb. */
const SUBJECT =
  /(?<![\p{Letter}\p{Number}])(?<subject>\p{Lu}[\p{Letter}\p{Number}&'’.-]{0,40}(?:\s(?:(?:of|and|&|the|de|for)\s)?\p{Lu}[\p{Letter}\p{Number}&'’.-]{0,40}){0,6}),?\s(?:(?:which|who|that)\s)?(?:(?:was|were|is|has been|had been)\s)?(?:first\s)?(?:founded|established|incorporated|started|formed|headquartered|based|employs|employed|has (?:about |over |more than )?\d)/gu
const OWN = /^(?:We|Our|It|The|This|Today|Now|Originally|Company|Firm|Business|Group|Studio|Agency|Practice)\b/

/**
 * Removes sentences about the founding, size or location of other companies, such as clients. Also removes the
 * sentences after them that start with a pronoun such as `Its`.
 */
export function withoutOthers(line: string, domain: string): string {
  const label = labelOf(domain)
  let isOther = false
  const own = line.split(/(?<=[.!?])\s+(?=\p{Lu})/u).filter((sentence) => {
    isOther = isAboutAnother(sentence, label) || (isOther && /^(?:It|Its|They|Their)\b/.test(sentence))
    return !isOther
  })
  return own.join(' ')
}

function isAboutAnother(sentence: string, label: string): boolean {
  const subjects = [...sentence.matchAll(SUBJECT)].map(({ groups }) => groups?.['subject'] ?? '')
  return subjects.some((subject) => !isOwn(subject.replace(/^The (?=\p{Lu})/u, ''), label))
}

function isOwn(subject: string, label: string): boolean {
  const [first = '', ...others] = subject.split(' ').map(squeeze)
  const initials = [first, ...others].map((word) => word[0] ?? '').join('')
  return (
    OWN.test(subject) ||
    label.includes([first, ...others].join('')) ||
    (first.length >= 3 && label.startsWith(first)) ||
    (initials.length >= 2 && label.startsWith(initials))
  )
}
