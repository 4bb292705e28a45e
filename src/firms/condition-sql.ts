import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { FirmFieldType } from '../contract/firm-fields.ts'
import { FIRM_FIELDS } from '../contract/firm-fields.ts'
import type { Condition, Operator } from './filters.ts'

const CAST: Record<FirmFieldType, RawBuilder<unknown>> = {
  text: sql`text`,
  'text[]': sql`text`,
  // The cast to a wider type than the column prevents errors for out-of-range values. PostgreSQL still uses the index.
  integer: sql`bigint`,
  money: sql`numeric`,
  date: sql`date`,
  boolean: sql`boolean`,
}

/**
 * Casts a validated value to the field's type. Text is compared in byte order, because the columns use the "C"
 * collation.
 */
export const typed = (field: Condition['field'], value: string | null) =>
  sql`${value}::${CAST[FIRM_FIELDS[field].type]}`

const COMPARISON: Partial<Record<Operator, RawBuilder<unknown>>> = {
  eq: sql`=`,
  neq: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
  ilike: sql`ilike`,
}

const IS: Record<string, RawBuilder<unknown>> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
}

/** Returns SQL to append to another condition: ` and region = 'NYRO' and ...`. Null values match only `is.null`. */
export const andConditions = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql.join([sql``, ...conditions.map(conditionSql)], sql` and `)

function conditionSql({ field, operator, values }: Condition): RawBuilder<unknown> {
  const column = sql.ref(`firm.${field}`)
  const [value = ''] = values
  if (operator === 'is') return sql`${column} ${IS[value] as RawBuilder<unknown>}`
  if (operator === 'in') return sql`${column} = any(${values}::${CAST[FIRM_FIELDS[field].type]}[])`
  if (operator === 'cs') return sql`${column} @> ${values}::text[]`
  return sql`${column} ${COMPARISON[operator] as RawBuilder<unknown>} ${typed(field, value)}`
}
