/**
 * An order in which a service may sort text keys. Ranges can be split only if the service sorts in byte order (`collate
 * "C"`). With any other order, the walk reads the pages sequentially.
 */
export interface KeyOrder {
  name: string
  /** Negative if `a` sorts before `b`. */
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

/** Returns the orders in which the keys are strictly descending. */
export function ordersKept(keys: readonly string[], orders: readonly KeyOrder[] = ALL_ORDERS): KeyOrder[] {
  return orders.filter(({ compare }) =>
    keys.every((key, index) => index === 0 || compare(keys[index - 1] as string, key) > 0),
  )
}
