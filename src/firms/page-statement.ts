import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database.ts'
import type { KnownCount } from './count-sql.ts'
import { countSql, isCountedByRank } from './count-sql.ts'
import type { Condition } from './filters.ts'
import { isListOperator } from './filters.ts'
import { orderSql, pageSql } from './page-sql.ts'
import type { ParsedFirmQuery } from './parse-query.ts'

/** A statement as `pg` runs it. Rows come as arrays: version, as_of, total, key, the selected columns, the key again, CRD number. */
export interface PageStatement {
  /** Present when PostgreSQL shall keep its plan. */
  name?: string
  text: string
  values: unknown[]
}

/** Columns that stand before the selected ones. */
export const LEADING_COLUMNS = 4

interface Template {
  name?: string
  text: string
  parameters: readonly unknown[]
}

/** Kept for each shape of query: a walk asks the same one thousands of times, and to compile one costs as much as to run it. */
const templates = new LRUCache<string, Template>({ max: 500 })
/** Every connection keeps each of them until it ends. */
const MAX_NAMED = 50
let named = 0

/**
 * The one statement that reads a page and its count, and so from one snapshot: a page never carries the count of another version. One row more
 * than asked for tells that more follow.
 */
export function pageStatement(db: Db, query: ParsedFirmQuery, known: KnownCount | undefined): PageStatement {
  const shape = shapeOf(query, known)
  const key = JSON.stringify(shape)
  let template = templates.get(key)
  if (!template) {
    template = compile(db, shape.query, shape.known)
    templates.set(key, template)
  }
  const { parameters, ...statement } = template
  const bind = (parameter: unknown): unknown =>
    Array.isArray(parameter) ? parameter.flatMap(bind) : isSlot(parameter) ? read(parameter, query, known) : parameter
  return { ...statement, values: parameters.map(bind) }
}

function compile(db: Db, query: ParsedFirmQuery, known: KnownCount | undefined): Template {
  // `limit 1` tells the planner that there is one: expecting more, it would think a kept plan dear, and plan anew for every page.
  const { sql: text, parameters } = sql`
    select dataset.version, dataset.as_of, ${countSql(query.conditions, known)}, page._sort::text, page.*
    from (select version, as_of, firms from firm_dataset limit 1) dataset left join lateral (${pageSql(query, query.limit + 1)}) page on true
    order by ${orderSql(query.order, sql`page._sort`, sql`page._crd`)}
    limit ${sql.lit(query.limit + 1)}`.compile(db)
  const keep = hasOnePlan(query) && named < MAX_NAMED
  if (keep) named += 1
  return { ...(keep && { name: `firm-page-${named}` }), text, parameters }
}

/** These have an index of their own in the order of SEC numbers. */
const INDEXED_BY_SEC_NUMBER: readonly string[] = ['region', 'state']

/**
 * A plan that is kept knows no values, so there must be one that is good for all: where only a unique field is bounded, with one value of a field
 * whose index is in the order asked for beside it. With other filters it depends on the value.
 */
function hasOnePlan({ conditions, order }: ParsedFirmQuery): boolean {
  const isEqual = ({ field, operator }: Condition) => operator === 'eq' && INDEXED_BY_SEC_NUMBER.includes(field)
  const equal = conditions.filter(isEqual)
  const bounds = conditions.filter((condition) => !isEqual(condition))
  const ordered = equal.length === 0 || (equal.length === 1 && order.field === 'sec_number')
  return ordered && (bounds.length === 0 || isCountedByRank(bounds))
}

/** No value holds a NUL. */
const SLOT = '\0'
const isSlot = (parameter: unknown): parameter is string => typeof parameter === 'string' && parameter.startsWith(SLOT)
const slot = (name: string) => `${SLOT}${name}`

/** The query with a slot in the place of every value that the text of its statement does not depend on. */
function shapeOf(query: ParsedFirmQuery, known: KnownCount | undefined) {
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
    known: known && ({ version: slot('version'), count: slot('count') } as unknown as KnownCount),
  }
}

function read(parameter: string, { conditions, after }: ParsedFirmQuery, known: KnownCount | undefined): unknown {
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

/** A list stands in one parameter, however long it is. */
const parameterOf = ({ operator, values }: Condition) => (isListOperator(operator) ? values : values[0])
