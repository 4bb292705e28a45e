import { rangeOfHeadcount } from '../../findings/headcount-range.ts'
import type { StructuredItem } from '../extract/structured-item.ts'
import { itemsOf, textsOf } from '../extract/structured-item.ts'
import { readAlternatives } from '../vocabulary/read-words.ts'

/** A range of the number of employees, and the number if it is known. */
export interface Headcount {
  count?: number
  range: string
}

/**
 * Reads an item's `numberOfEmployees`, which is a number, a string, or a quantity with a value or with a minimum and
 * maximum.
 */
export function headcountOfItem(item: StructuredItem): Headcount | undefined {
  const quantity = itemsOf(item, 'numberOfEmployees')[0]
  if (!quantity) return parseHeadcount(textsOf(item, 'numberOfEmployees')[0] ?? '')
  const value = textsOf(quantity, 'value')[0]
  if (value) return parseHeadcount(value)
  const [low, high] = [textsOf(quantity, 'minValue')[0], textsOf(quantity, 'maxValue')[0]]
  return low && high ? parseHeadcount(`${low}-${high}`) : low ? parseHeadcount(`${low}+`) : undefined
}

/** Parses `42`, `1,200`, `51-200` and `10,001+`. Rejects numbers within other text, because they may count anything. */
export function parseHeadcount(text: string): Headcount | undefined {
  const plain = text
    .trim()
    .replace(/(?<=\d)[,.' ](?=\d{3}\b)/g, '')
    .replace(/\s*(employees|people|staff)$/i, '')
  const [, low, high] = /^(\d{1,7})\s*(?:-|–|—|to)\s*(\d{1,7})$/.exec(plain) ?? []
  if (low && high) return Number(high) > Number(low) ? { range: `${Number(low)}-${Number(high)}` } : undefined
  const [, least] = /^(\d{1,7})\s*\+$/.exec(plain) ?? []
  if (least) return { range: Number(least) >= 10_000 ? '10001+' : `${Number(least)}+` }
  const count = /^\d{1,7}$/.test(plain) ? Number(plain) : 0
  return count > 0 ? { count, range: rangeOfHeadcount(count) } : undefined
}

const PEOPLE =
  '(?:employees|people|colleagues|team members|professionals|staff members|staff|members of staff|specialists)'
const NUMBER = '(?<count>\\d{1,3}(?:[,.]\\d{3})+|\\d{1,6})'
const SENTENCES = [
  new RegExp(
    `\\b(?:we (?:are|employ)(?: now| currently| today)?|employs?|employing|team of|staff of|workforce of)\\s+(?<about>more than|over|about|around|some|nearly|approximately)?\\s*${NUMBER}(?<plus>\\+)?\\s+(?:[a-z-]+ ){0,2}?${PEOPLE}\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:a |our )?team of (?<about>more than|over|about|around|some|nearly|approximately)?\\s*${NUMBER}(?<plus>\\+)?(?=[\\s.,;])(?! (?:years|countries|offices|companies|funds))`,
    'i',
  ),
  new RegExp(
    `(?:^|[.!] )(?<about>more than|over|about|around|some|nearly|approximately)\\s+${NUMBER}(?<plus>\\+)?\\s+(?:employees|colleagues|team members|staff members|members of staff)\\b`,
    'i',
  ),
  new RegExp(
    `(?:^|[.!] )(?:(?:today|now|currently),?\\s+)?(?:our\\s+)?(?<about>more than|over|about|around|some|nearly|approximately)?\\s*${NUMBER}(?<plus>\\+)?\\s+(?:employees|colleagues|team members|staff)\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?<about>über|mehr als|rund|etwa|ca\\.|plus de|environ|más de|oltre|circa|ruim|meer dan)?\\s*${NUMBER}(?<plus>\\+)?\\s+(?:${readAlternatives('prose/employee-nouns')})(?!\\p{L})`,
    'iu',
  ),
  new RegExp(`^${NUMBER}(?<plus>\\+)?\\s+(?:employees|team members|colleagues|professionals|people)$`, 'i'),
  new RegExp(
    `\\b(?:employees|team size|headcount|number of employees|company size)\\s*:\\s*${NUMBER}(?<plus>\\+)?(?![\\d-])`,
    'i',
  ),
]

const MORE = /more|over|über|mehr|plus|más|oltre|ruim|meer|\+/i

/** Finds the number of employees in a sentence. "More than 200" results in only a range. */
export function headcountInText(line: string): Headcount | undefined {
  for (const sentence of SENTENCES) {
    const groups = sentence.exec(line)?.groups
    if (!groups?.['count']) continue
    const count = Number(groups['count'].replace(/[,.]/g, ''))
    if (count < 1 || (count >= 1900 && count <= 2100 && !/employ|staff|people/i.test(line))) continue
    return groups['about'] || groups['plus']
      ? { range: rangeOfHeadcount(count + (MORE.test(groups['about'] ?? '+') ? 1 : 0)) }
      : { count, range: rangeOfHeadcount(count) }
  }
  return undefined
}
