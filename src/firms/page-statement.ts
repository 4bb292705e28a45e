import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database.ts'
import { andConditions } from './condition-sql.ts'
import type { KnownCount } from './count-sql.ts'
import { countSql, isCountedByRank, UNCOUNTED } from './count-sql.ts'
import type { Condition } from './filters.ts'
import { isListOperator } from './filters.ts'
import { andIndexed } from './firm-marks.ts'
import { orderSql, pageSql } from './page-sql.ts'
import type { ParsedFirmQuery } from './parse-query.ts'
import type { Limits, Reading } from './plan-query.ts'
import { LIMITS } from './plan-query.ts'

/**
 * A statement for `pg`. The rows of the result are arrays: version, revision, as_of, whether the roster has marks,
 * total, sort key, selected columns, sort key again, CRD number.
 */
export interface PageStatement {
  /** Name of the prepared statement; undefined if PostgreSQL must not cache the plan. */
  name?: string
  text: string
  values: unknown[]
}

/** Position of the sort key in a row. */
export const SORT_KEY = 5
/** Number of columns that precede the selected columns. */
export const LEADING_COLUMNS = SORT_KEY + 1

interface Template {
  name?: string
  text: string
  parameters: readonly unknown[]
}

/**
 * Compiled statements by query shape. Compiling a statement costs as much as running it, and paging through the results
 * repeats the same shape thousands of times.
 */
const templates = new LRUCache<string, Template>({ max: 500 })
/** Maximum number of named statements. Each connection keeps its named statements until it closes. */
const MAX_NAMED = 50
let named = 0

/**
 * Returns a statement that reads a page and the total count from one snapshot. The statement reads one extra row to
 * detect further pages.
 */
export function pageStatement(
  db: Db,
  query: ParsedFirmQuery,
  known: KnownCount | typeof UNCOUNTED | undefined,
  reading?: Reading,
  { window }: Limits = LIMITS,
): PageStatement {
  const shape = { ...shapeOf(query, known), reading, window }
  // The selective conditions contain values, so the statement is not reused.
  const key = reading?.kind === 'few' ? undefined : JSON.stringify(shape)
  let template = key === undefined ? undefined : templates.get(key)
  if (!template) {
    template = compile(db, shape)
    if (key !== undefined) templates.set(key, template)
  }
  const { parameters, ...statement } = template
  const bind = (parameter: unknown): unknown =>
    Array.isArray(parameter) ? parameter.flatMap(bind) : isSlot(parameter) ? read(parameter, query, known) : parameter
  return { ...statement, values: parameters.map(bind) }
}

interface Shape {
  query: ParsedFirmQuery
  known: KnownCount | typeof UNCOUNTED | undefined
  reading: Reading | undefined
  window: number
}

function compile(db: Db, { query, known, reading, window }: Shape): Template {
  const few = reading?.kind === 'few'
  const total =
    few && known !== UNCOUNTED
      ? sql`(select count(*) from matched)`
      : countSql(query.conditions, known, reading !== undefined)
  const source = few
    ? reading
    : reading?.kind === 'window'
      ? { kind: reading.kind, window }
      : ({ kind: 'table' } as const)
  // With `limit 1`, the planner expects one row. Without the limit, the generic plan would look expensive, and
  // PostgreSQL would replan every page.
  const { sql: text, parameters } = sql`
    ${few ? matchedSql(query, reading.selective) : sql``}
    select dataset.version, dataset.revision, dataset.as_of, dataset.marked_version is not distinct from dataset.version, ${total}, page._sort::text, page.*
    from (select version, revision, as_of, firms, marked_version from firm_dataset limit 1) dataset
    left join lateral (${pageSql(query, query.limit + 1, source)}) page on true
    order by ${orderSql(query.order, sql`page._sort`, sql`page._crd`)}
    limit ${sql.lit(query.limit + 1)}`.compile(db)
  const keep = hasOnePlan(query) && !few && reading?.kind !== 'window' && named < MAX_NAMED
  if (keep) named += 1
  return { ...(keep && { name: `firm-page-${named}` }), text, parameters }
}

/** Common table expressions that read the firms that match the selective conditions, then test all conditions. */
function matchedSql({ conditions, order }: ParsedFirmQuery, selective: readonly Condition[]): RawBuilder<unknown> {
  const read = [...new Set(['crd_number', order.field, ...conditions.map(({ field }) => field)])]
  return sql`
    with found as materialized (
      select ${sql.join(read.map((column) => sql.ref(`firm.${column}`)))}
      from firm where firm.gone_as_of is null${andIndexed(selective)}
    ), matched as materialized (
      select * from found firm where true${andConditions(conditions)}
    )`
}

/** Fields with an index in which equal values are sorted by SEC number. */
const INDEXED_BY_SEC_NUMBER: readonly string[] = ['region', 'state']

/**
 * Returns whether one plan suits all parameter values. This is the case if the only conditions are bounds on a unique
 * field and at most one equality condition on a field whose index has the requested sort order. Other statements are
 * not cached, because a cached generic plan ignores parameter values.
 */
function hasOnePlan({ conditions, order }: ParsedFirmQuery): boolean {
  const isEqual = ({ field, operator }: Condition) => operator === 'eq' && INDEXED_BY_SEC_NUMBER.includes(field)
  const equal = conditions.filter(isEqual)
  const bounds = conditions.filter((condition) => !isEqual(condition))
  const ordered = equal.length === 0 || (equal.length === 1 && order.field === 'sec_number')
  return ordered && (bounds.length === 0 || isCountedByRank(bounds))
}

/** Marks a parameter slot. Values never contain NUL. */
const SLOT = '\0'
const isSlot = (parameter: unknown): parameter is string => typeof parameter === 'string' && parameter.startsWith(SLOT)
const slot = (name: string) => `${SLOT}${name}`

/** Returns the query with placeholders for the values that do not affect the statement's text. */
function shapeOf(query: ParsedFirmQuery, known: KnownCount | typeof UNCOUNTED | undefined) {
  const conditions = query.conditions.map(
    ({ field, operator, values }, index): Condition => ({
      field,
      operator,
      values: operator === 'is' ? values : [slot(`condition ${index}`)],
    }),
  )
  const after = query.after && {
    key: query.after.key === null ? null : slot('key'),
    crd: slot('crd'),
    version: 0,
    total: 0,
  }
  return {
    query: { ...query, conditions, after } as unknown as ParsedFirmQuery,
    known:
      known === UNCOUNTED
        ? known
        : known && ({ version: slot('version'), count: slot('count') } as unknown as KnownCount),
  }
}

function read(
  parameter: string,
  { conditions, after }: ParsedFirmQuery,
  given: KnownCount | typeof UNCOUNTED | undefined,
): unknown {
  const known = given === UNCOUNTED ? undefined : given
  const [name, index] = parameter.slice(SLOT.length).split(' ')
  switch (name) {
    case 'condition':
      return parameterOf(conditions[Number(index)] as Condition)
    case 'key':
      return after?.key
    case 'crd':
      return after?.crd
    case 'version':
      return known?.version
    default:
      return known?.count
  }
}

/** A list is passed as a single parameter, regardless of its length. */
const parameterOf = ({ operator, values }: Condition) => (isListOperator(operator) ? values : values[0])
