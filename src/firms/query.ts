import { sql } from 'kysely'
import type { Db, ServiceTables } from '../db/database.ts'
import type { Postgres } from '../lib/postgres.ts'
import type { CountMemo } from './count-memo.ts'
import type { KnownCount, UNCOUNTED } from './count-sql.ts'
import { canonical, writeCursor } from './cursor.ts'
import type { Condition } from './filters.ts'
import { RANKED_FIELDS } from './firm-dataset.ts'
import { windowEndsSql } from './page-sql.ts'
import { LEADING_COLUMNS, pageStatement, SORT_KEY } from './page-statement.ts'
import type { FirmOrder, ParsedFirmQuery } from './parse-query.ts'
import type { Limits, Reading } from './plan-query.ts'
import { isInIndexOrder, LIMITS, planQuery, tooSparse } from './plan-query.ts'

/** The response body; see `FirmPage` in the contract. */
export interface FirmResponse {
  data: Record<string, unknown>[]
  total_count: number
  next_cursor: string | null
  as_of: string | null
  data_version: string
  /** Warning that is present if the firms before and after the page boundary have equal values in the sort field. */
  warning?: string
}

/** A page, with the properties needed to create its cursor and warning. */
export interface PageRead {
  version: number
  revision: string
  asOf: string | null
  /** Whether the roster has marks. */
  isMarked: boolean
  total: number
  firms: Record<string, unknown>[]
  /** Position of the page's last firm; undefined for an empty page. */
  last: { key: string | null; crd: number } | undefined
  more: boolean
  /** Whether the first firm of the next page has the same value in the sort field as the last firm of this page. */
  endsInTie: boolean
}

/**
 * Runs `POST /firms`. Reads the selected fields of the matching firms, the total count and the cursor for the next page
 * from one snapshot. All calls in a process share one `memo`.
 */
export async function queryFirms(
  postgres: Pick<Postgres<ServiceTables>, 'db' | 'pool'>,
  query: ParsedFirmQuery,
  memo: CountMemo,
  limits: Limits = LIMITS,
): Promise<FirmResponse> {
  const known = knownCount(query, memo)
  const reading = await planReading(postgres.db, query, { known, memo, limits })
  const page = await readPage(postgres, query, known, { reading, limits })
  const { version, revision, asOf, isMarked, total, firms, last, more, endsInTie } = page
  memo.isMarked = isMarked
  // A count taken from a cursor is not cached, because cursors can be forged.
  if (!known?.byCursor || known.version !== version) memo.set(version, canonical(query.conditions), total)
  const next = last && nextByFilter(query, last.key)
  if (next) memo.set(version, canonical(next), total - firms.length)
  return {
    data: firms,
    total_count: total,
    next_cursor: last && more ? writeCursor({ version, total, ...last }, query.conditions, query.order) : null,
    as_of: asOf,
    data_version: revision,
    ...(endsInTie && !query.after && { warning: tieWarning(query.order) }),
  }
}

const tieWarning = ({ field, direction }: FirmOrder): string =>
  `The page ends between firms with equal ${field}, so a filter ${direction === 'desc' ? 'lt' : 'gt'}.<last value> would skip firms. Page with cursor, or order by sec_number or crd_number.`

type Row = [
  ...[version: number, revision: string, asOf: string | null, isMarked: boolean, total: number, key: string | null],
  ...columns: unknown[],
]

/** Plans a query if the roster has marks; returns undefined for smaller rosters, which are scanned. */
async function planReading(
  db: Db,
  { conditions, order }: ParsedFirmQuery,
  { known, memo, limits }: { known: KnownCount | undefined; memo: CountMemo; limits: Limits },
): Promise<Reading | undefined> {
  if (conditions.length === 0 || memo.isMarked === false) return undefined
  if (memo.isMarked && isInIndexOrder(conditions, order)) return { kind: 'index' }
  return await planQuery(db, { conditions, order, isCounted: known !== undefined }, limits)
}

/**
 * Reads one page and the count of all matches from one snapshot. Throws `unprocessable` if the page would contain firms
 * beyond the window of `reading`.
 */
export async function readPage(
  { db, pool }: Pick<Postgres<ServiceTables>, 'db' | 'pool'>,
  query: ParsedFirmQuery,
  known: KnownCount | typeof UNCOUNTED | undefined,
  { reading, limits = LIMITS }: { reading?: Reading | undefined; limits?: Limits } = {},
): Promise<PageRead> {
  const statement = pageStatement(db, query, known, reading, limits)
  const { rows } = await pool.query<Row>({ ...statement, rowMode: 'array' })
  const [version = 0, revision = '', asOf = null, isMarked = false, total = 0] = rows[0] ?? []
  // An empty page is returned as one row with a null CRD number.
  const found = rows.filter((row) => row.at(-1) !== null)
  const shown = found.slice(0, query.limit)
  const last = shown.at(-1)
  if (reading?.kind === 'window' && found.length <= query.limit && !(await windowEnds(db, query, limits)))
    throw tooSparse(query.order, limits)
  return {
    version,
    revision,
    asOf,
    isMarked,
    total: Number(total),
    firms: shown.map((row) => toFirm(row, query.select)),
    last: last && { key: last[SORT_KEY], crd: last.at(-1) as number },
    more: found.length > query.limit,
    endsInTie: found.length > query.limit && found[query.limit]?.[SORT_KEY] === last?.[SORT_KEY],
  }
}

async function windowEnds(db: Db, query: ParsedFirmQuery, { window }: Limits): Promise<boolean> {
  const { rows } = await sql<{ ends: boolean }>`select ${windowEndsSql(query, window)} as ends`.execute(db)
  return rows[0]?.ends ?? false
}

function toFirm(row: Row, select: readonly string[]): Record<string, unknown> {
  const firm: Record<string, unknown> = {}
  for (let place = 0; place < select.length; place += 1) firm[select[place] as string] = row[LEADING_COLUMNS + place]
  return firm
}

function knownCount(
  { conditions, after }: ParsedFirmQuery,
  memo: CountMemo,
): (KnownCount & { byCursor: boolean }) | undefined {
  const count = memo.get(canonical(conditions))
  // The cursor contains the count, because another process may serve the next page.
  if (after && (count === undefined || after.version > memo.version()))
    return { version: after.version, count: after.total, byCursor: true }
  return count === undefined ? undefined : { version: memo.version(), count, byCursor: false }
}

/**
 * Returns the conditions that clients send for the next page if they page by `lt.<last value received>` instead of a
 * cursor. The next page's total is then this page's total minus the firms on this page. Returns undefined unless the
 * query is sorted by a unique field whose only bound is the start of the page.
 */
function nextByFilter({ conditions, order, after }: ParsedFirmQuery, lastKey: string | null): Condition[] | undefined {
  const operator = order.direction === 'desc' ? 'lt' : 'gt'
  const bounds = conditions.filter(({ field }) => field === order.field)
  if (after || !isUnique(order) || bounds.length > 1 || bounds.some((bound) => bound.operator !== operator))
    return undefined
  const others = conditions.filter(({ field }) => field !== order.field)
  return others.length === 0 ? undefined : [...others, { field: order.field, operator, values: [String(lastKey)] }]
}

const isUnique = ({ field }: FirmOrder) => RANKED_FIELDS.some((ranked) => ranked === field)
