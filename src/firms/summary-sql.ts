import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { andConditions, typed } from './condition-sql.ts'
import type { Condition } from './filters.ts'
import { ASSET_CLASSES, SUMMARY_FIELDS } from './firm-dataset.ts'

const CLASSES = sql`${sql.lit(`{${ASSET_CLASSES.join(',')}}`)}::numeric[]`
/** SQL for the number of the asset class that contains an amount; 0 for negative amounts. */
export const classOf = (amount: RawBuilder<unknown>): RawBuilder<unknown> => sql`width_bucket(${amount}, ${CLASSES})`
const startOf = (assetClass: RawBuilder<unknown>) => sql`coalesce((${CLASSES})[${assetClass}], '-Infinity')`
const endOf = (assetClass: RawBuilder<unknown>) => sql`coalesce((${CLASSES})[${assetClass} + 1], 'Infinity')`

/**
 * SQL that aggregates the matching firms by state and asset class into the columns `state`, `size_class`, `firms`
 * (count) and `aum_total_usd` (total assets). Undefined unless all conditions are on fields of `firm_summary`, or on
 * assets with at most one bound per side. For conditions on assets, reads individual firms only in the classes that
 * contain a bound, because `firm_summary` contains the counts for the classes between the bounds.
 */
export function summaryTable(conditions: readonly Condition[]): RawBuilder<unknown> | undefined {
  const bounds = conditions.filter(({ field }) => field === 'aum_total_usd')
  const others = conditions.filter(({ field }) => field !== 'aum_total_usd')
  if (!others.every(({ field }) => SUMMARY_FIELDS.includes(field))) return undefined
  const lower = bounds.filter(({ operator }) => operator === 'gt' || operator === 'gte')
  const upper = bounds.filter(({ operator }) => operator === 'lt' || operator === 'lte')
  if (lower.length > 1 || upper.length > 1 || lower.length + upper.length < bounds.length) return undefined
  const part = (condition: RawBuilder<unknown>) => sql`
    union all
    select state, ${classOf(sql`aum_total_usd`)}, 1, aum_total_usd from firm
    where firm.gone_as_of is null${andConditions(conditions)} and ${condition}`
  return sql`(
    select state, size_class, firms, aum_total_usd from firm_summary as firm
    where true${andConditions(others)}${betweenClasses(lower[0], upper[0])}
    ${sql.join(partsOfClasses(lower[0], upper[0]).map(part), sql` `)}
  )`
}

const amountOf = ({ values: [value = ''] }: Condition) => typed('aum_total_usd', value)

/** Returns whether a lower bound includes its whole class. */
const isStart = (lower: Condition) =>
  lower.operator === 'gte' ? sql`${amountOf(lower)} = ${startOf(classOf(amountOf(lower)))}` : sql`false`

/** Selects the classes between the bounds. */
function betweenClasses(lower: Condition | undefined, upper: Condition | undefined): RawBuilder<unknown> {
  const above = lower
    ? sql` and (size_class > ${classOf(amountOf(lower))} or (size_class = ${classOf(amountOf(lower))} and ${isStart(lower)}))`
    : sql``
  return upper ? sql`${above} and size_class < ${classOf(amountOf(upper))}` : above
}

/** Conditions for the firms in the lower bound's class and in the upper bound's class, without overlap. */
function partsOfClasses(lower: Condition | undefined, upper: Condition | undefined): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = []
  if (lower) parts.push(sql`not (${isStart(lower)}) and firm.aum_total_usd < ${endOf(classOf(amountOf(lower)))}`)
  if (!upper) return parts
  const ofUpper = classOf(amountOf(upper))
  const isOther = lower ? sql` and (${isStart(lower)} or ${classOf(amountOf(lower))} < ${ofUpper})` : sql``
  return [...parts, sql`firm.aum_total_usd >= ${startOf(ofUpper)}${isOther}`]
}
