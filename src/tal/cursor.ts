import type { TalQuery } from '../contract/tal.ts'
import { AppError } from '../lib/errors.ts'

const PREFIX = 'after:'

/** Encodes the position after a list entry as an opaque cursor. */
export const writeCursor = (domain: string): string => Buffer.from(`${PREFIX}${domain}`).toString('base64url')

/**
 * Returns the domain after which the requested page starts; undefined if the query has no cursor. Throws
 * `unprocessable` if the cursor is malformed or combined with an offset or an order other than `domain.asc`.
 */
export function readCursor({
  cursor,
  offset,
  order,
}: Pick<TalQuery, 'cursor' | 'offset' | 'order'>): string | undefined {
  if (cursor === undefined) return undefined
  if (order !== undefined && order !== 'domain.asc')
    throw new AppError('unprocessable', `cursor requires the order domain.asc; page with offset to order by ${order}`)
  if (offset > 0)
    throw new AppError('unprocessable', 'cursor and offset cannot be combined; omit offset to continue at the cursor')
  const text = Buffer.from(cursor, 'base64url').toString()
  const domain = text.slice(PREFIX.length)
  if (!text.startsWith(PREFIX) || !/^[\x21-\x7e]{1,253}$/.test(domain) || writeCursor(domain) !== cursor)
    throw new AppError('unprocessable', 'cursor is malformed; pass next_cursor of the previous page unchanged')
  return domain
}
