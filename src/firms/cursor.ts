import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { FirmFieldName } from '../contract/firm-fields.ts'
import { FIRM_FIELDS } from '../contract/firm-fields.ts'
import { MAX_INTEGER } from '../lib/storable-text.ts'
import type { Condition } from './filters.ts'
import { isValueOf } from './filters.ts'

/** The last firm of a page and the query's total count. */
export interface CursorPlace {
  /** The last firm's value in the sort field, as text; null if the firm has no value. */
  key: string | null
  crd: number
  /** Number of matches in this version of the data. */
  version: number
  total: number
}

/** Returns the canonical, order-independent form of the conditions. Counts are cached under this form. */
export const canonical = (conditions: readonly Condition[]): string =>
  JSON.stringify(conditions.map(({ field, operator, values }) => [field, operator, ...values]).sort())

interface Order {
  field: FirmFieldName
  direction: string
}

const count = Type.Integer({ minimum: 0 })
const Body = Type.Tuple([
  count,
  count,
  Type.Integer({ maximum: MAX_INTEGER }),
  Type.Union([Type.String(), Type.Null()]),
])

/** Encodes a position as an opaque cursor that contains a digest of the query. The cursor contains no secrets. */
export function writeCursor(place: CursorPlace, conditions: readonly Condition[], order: Order): string {
  const body = JSON.stringify([place.version, place.total, place.crd, place.key])
  return `${Buffer.from(body).toString('base64url')}.${digest(body, conditions, order)}`
}

/**
 * Decodes a cursor. Returns 'foreign' for damaged cursors and for cursors from other queries. Does not detect forged
 * cursors.
 */
export function readCursor(cursor: string, conditions: readonly Condition[], order: Order): CursorPlace | 'foreign' {
  const [encoded = '', given, ...more] = cursor.split('.')
  const body = Buffer.from(encoded, 'base64url').toString('utf8')
  if (more.length > 0 || given !== digest(body, conditions, order)) return 'foreign'
  const place: unknown = parseJson(body)
  if (!Value.Check(Body, place)) return 'foreign'
  const [version, total, crd, key] = place
  if (key !== null && !isValueOf(FIRM_FIELDS[order.field].type, key)) return 'foreign'
  return { version, total, crd, key }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const digest = (body: string, conditions: readonly Condition[], { field, direction }: Order) =>
  createHash('sha256')
    .update(`firms\n${field}.${direction}\n${canonical(conditions)}\n${body}`)
    .digest('base64url')
    .slice(0, 22)
