import { rangeOfHeadcount } from '../../findings/headcount-range.ts'
import type { StructuredItem } from '../extract/structured-item.ts'
import { itemsOf, textsOf } from '../extract/structured-item.ts'

/** A headcount range, and the exact headcount if it is known. */
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

/**
 * Parses `42`, `1,200`, `51-200` and `10,001+`. Rejects numbers within other text, because they may refer to anything.
 */
function parseHeadcount(text: string): Headcount | undefined {
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
