import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { FirmFieldName } from '../contract/firm-fields.ts'
import { FIRM_FIELDS } from '../contract/firm-fields.ts'
import { MAX_INTEGER } from '../lib/storable-text.ts'
import type { Condition } from './filters.ts'
import { isValueOf } from './filters.ts'

/** Where a page ended, and what was known there. */
export interface CursorPlace {
  /** The last firm's value in the field of the order, as text; null when it has none. */
  key: string | null
  crd: number
  /** The count of the query's matches, good for one version of the data. */
  version: number
  total: number
}

/** The conditions in one spelling, whatever order they were given in: what a count is remembered by. */
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

/** A page's place in a query, as an opaque text. It is bound to the query by a digest, and holds nothing secret. */
export function writeCursor(place: CursorPlace, conditions: readonly Condition[], order: Order): string {
  const body = JSON.stringify([place.version, place.total, place.crd, place.key])
  return `${Buffer.from(body).toString('base64url')}.${digest(body, conditions, order)}`
}

/** Returns 'foreign' for what this query's pages cannot have given: of another query, cut or altered. One that was made up with care reads as a place. */
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
