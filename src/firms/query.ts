import { sql } from 'kysely'
import type { FirmQuery } from '../contract/firms.ts'
import type { Db } from '../db/database.ts'
import type { CountMemo } from './count-memo.ts'
import { countSql } from './count-sql.ts'
import { canonical, writeCursor } from './cursor.ts'
import type { Condition } from './filters.ts'
import { RANKED_FIELDS } from './firm-dataset.ts'
import { orderSql, pageSql } from './page-sql.ts'
import type { FirmOrder, ParsedFirmQuery } from './parse-query.ts'
import { parseFirmQuery } from './parse-query.ts'

/** The reply, as `FirmPage` of the contract describes it. */
export interface FirmReply {
  data: Record<string, unknown>[]
  total_count: number
  next_cursor: string | null
  as_of: string | null
}

interface PageRow extends Record<string, unknown> {
  _version: number
  _as_of: string | null
  _total: number
  _key: string | null
  /** Null in the one row of a page without firms. */
  _crd: number | null
}

/**
 * Answers `POST /firms`: the selected fields of the firms that match, how many match in all, and the cursor of the next page. Page and count are of
 * one moment. `memo` is kept between calls of one process. Throws `unprocessable` for fields, operators, values, orders, limits and cursors that make no sense.
 */
export async function queryFirms(db: Db, request: FirmQuery, memo: CountMemo): Promise<FirmReply> {
  const query = parseFirmQuery(request)
  const rows = await readPage(db, query, memo)
  const [first] = rows
  const version = first?._version ?? 0
  const total = Number(first?._total ?? 0)
  const firms = rows.filter(({ _crd }) => _crd !== null)
  const shown = firms.slice(0, query.limit)
  remember(memo, query, version, total, shown)
  const last = firms.length > query.limit ? shown.at(-1) : undefined
  return {
    data: shown.map((row) => Object.fromEntries(query.select.map((column) => [column, row[column]]))),
    total_count: total,
    next_cursor: last
      ? writeCursor({ version, total, key: last._key, crd: last._crd as number }, query.conditions, query.order)
      : null,
    as_of: first?._as_of ?? null,
  }
}

/** One statement, and so one snapshot: a page never carries the count of another version. One row more than asked for tells that more follow. */
async function readPage(db: Db, query: ParsedFirmQuery, memo: CountMemo): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select dataset.version as _version, dataset.as_of as _as_of, ${countSql(query.conditions, knownCount(query, memo))} as _total,
      page._sort::text as _key, page.*
    from firm_dataset dataset left join lateral (${pageSql(query, query.limit + 1)}) page on true
    order by ${orderSql(query.order, sql`page._sort`, sql`page._crd`)}
    limit ${sql.lit(query.limit + 1)}`.execute(db)
  return rows
}

function knownCount({ conditions, after }: ParsedFirmQuery, memo: CountMemo) {
  const count = memo.get(canonical(conditions))
  // A cursor carries the count from process to process.
  if (after && (count === undefined || after.version > memo.version()))
    return { version: after.version, count: after.total }
  return count === undefined ? undefined : { version: memo.version(), count }
}

function remember(memo: CountMemo, query: ParsedFirmQuery, version: number, total: number, shown: PageRow[]): void {
  memo.set(version, canonical(query.conditions), total)
  const next = nextByFilter(query, shown)
  if (next) memo.set(version, canonical(next), total - shown.length)
}

/**
 * Who pages by `lt.<last value received>` asks next for what lies below this page: its count is this one less this page. Holds for an
 * order by a unique field whose only bound is the one that the page began with.
 */
function nextByFilter({ conditions, order, after }: ParsedFirmQuery, shown: PageRow[]): Condition[] | undefined {
  const last = shown.at(-1)
  const operator = order.direction === 'desc' ? 'lt' : 'gt'
  const bounds = conditions.filter(({ field }) => field === order.field)
  if (after || !last || !isUnique(order) || bounds.length > 1 || bounds.some((bound) => bound.operator !== operator))
    return undefined
  const others = conditions.filter(({ field }) => field !== order.field)
  return others.length === 0 ? undefined : [...others, { field: order.field, operator, values: [String(last._key)] }]
}

const isUnique = ({ field }: FirmOrder) => RANKED_FIELDS.some((ranked) => ranked === field)
