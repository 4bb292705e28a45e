import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { andConditions, typed } from './condition-sql.ts'
import type { CursorPlace } from './cursor.ts'
import type { FirmOrder, ParsedFirmQuery } from './parse-query.ts'

const NEVER_NULL = new Set(['sec_number', 'crd_number', 'firm_type'])

/**
 * SQL for one page of firms in the given sort order. CRD numbers break ties in the same direction, and null sorts as
 * the smallest value. The last two columns, `_sort` and `_crd`, contain the row's position in this order.
 */
export function pageSql({ select, conditions, order, after }: ParsedFirmQuery, rows: number): RawBuilder<unknown> {
  const columns = sql.join(select.map((column) => sql.ref(`firm.${column}`)))
  const field = sql.ref(`firm.${order.field}`)
  const part = (place: RawBuilder<unknown>) => sql`(
    select ${columns}, ${field} as _sort, firm.crd_number as _crd
    from firm
    where firm.gone_as_of is null${andConditions(conditions)}${place}
    order by ${orderSql(order, field, sql`firm.crd_number`)}
    limit ${sql.lit(rows)}
  )`
  const parts = after ? placesAfter(after, order, field).map(part) : [part(sql``)]
  return sql.join(parts, sql` union all `)
}

/** The `order by` expressions for a sort order, given its sort column and the CRD column. */
export function orderSql(
  { field, direction }: FirmOrder,
  column: RawBuilder<unknown>,
  crd: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [by, nulls] = direction === 'asc' ? [sql`asc`, sql`nulls first`] : [sql`desc`, sql`nulls last`]
  if (field === 'crd_number') return sql`${crd} ${by}`
  return NEVER_NULL.has(field) ? sql`${column} ${by}, ${crd} ${by}` : sql`${column} ${by} ${nulls}, ${crd} ${by}`
}

/**
 * Conditions that select the rows after a position. Rows with and without a value are selected by separate conditions,
 * because a combined condition could not use the index.
 */
function placesAfter(
  { key, crd }: CursorPlace,
  { field, direction }: FirmOrder,
  column: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  const place = sql`${crd}::integer`
  if (field === 'crd_number') return [sql` and firm.crd_number ${beyond} ${place}`]
  if (key !== null) {
    const withValue = sql` and (${column}, firm.crd_number) ${beyond} (${typed(field, key)}, ${place})`
    return direction === 'asc' || NEVER_NULL.has(field) ? [withValue] : [withValue, sql` and ${column} is null`]
  }
  const withoutValue = sql` and ${column} is null and firm.crd_number ${beyond} ${place}`
  return direction === 'asc' ? [withoutValue, sql` and ${column} is not null`] : [withoutValue]
}
