/**
 * The orders in which a host may compare text keys. Ranges are split by bytes (`collate "C"`); a host that compares in another way is
 * walked from page to page, by whichever of these orders its pages keep.
 */
export interface KeyOrder {
  name: string
  /** Below 0 when `a` comes before `b` in ascending order. */
  compare(a: string, b: string): number
}

export const BYTE_ORDER: KeyOrder = {
  name: 'bytes',
  compare: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
}

const collated = (name: string, options: Intl.CollatorOptions): KeyOrder => {
  const { compare } = new Intl.Collator('en', options)
  return { name, compare }
}

const OTHER_ORDERS: readonly KeyOrder[] = [
  collated('language', {}),
  collated('language, without punctuation', { ignorePunctuation: true }),
  collated('numbers by value', { numeric: true }),
  collated('numbers by value, without punctuation', { numeric: true, ignorePunctuation: true }),
  collated('without case', { sensitivity: 'base' }),
]

export const ALL_ORDERS: readonly KeyOrder[] = [BYTE_ORDER, ...OTHER_ORDERS]

/** Those of `orders` in which the keys strictly descend: no two are equal, and none comes after a lower one. */
export function ordersKept(keys: readonly string[], orders: readonly KeyOrder[] = ALL_ORDERS): KeyOrder[] {
  return orders.filter(({ compare }) =>
    keys.every((key, index) => index === 0 || compare(keys[index - 1] as string, key) > 0),
  )
}
