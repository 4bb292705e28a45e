import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { RememberedTotals } from './remembered-totals.ts'

export interface Search {
  table: 'company' | 'person'
  /** Everything that must hold beside the text. */
  filters: readonly RawBuilder<unknown>[]
  /** One of the filters leaves few: whether there are many needs not be asked. */
  isNarrow?: boolean
  /** The column that is searched in, and what for; null when no text was given. */
  text: { column: RawBuilder<unknown>; term: string } | null
  /** Better matches first, among those that contain the term: an expression that is smaller for the better. */
  rank: RawBuilder<unknown>
  /**
   * Where many contain the term, they come in the order of their keys, those first for which this holds: a range of the key in which all
   * contain it.
   */
  first?: RawBuilder<unknown>
  /** The columns of the primary key, by which equals are ordered. */
  key: readonly string[]
  select: RawBuilder<unknown>
  limit: number
  offset: number
  /** How many there are without any text or filter, if somebody counts them. */
  countAll(): Promise<number>
}

export interface Found<Row> {
  rows: Row[]
  total: number
}

/** From about here on, matches are neither ranked nor counted for a reply. */
export const MANY = 10_000
/** So many rows are looked at to learn whether there are many. */
const SAMPLE = 2_000
/** Tables below this are small: whatever matches is few. */
const LARGE = 100_000

const remembered = new WeakMap<Db, RememberedTotals>()

/** A page of what passes these filters, and how many do; about so many as `given`, if that is known. */
export async function matching<Row>(
  db: Db,
  query: Search,
  filters: readonly RawBuilder<unknown>[],
  given?: number,
): Promise<Found<Row>> {
  const known = query.isNarrow ? 0 : given
  const [estimate = 0] = known === undefined ? await estimateMatches(db, query, [all(filters)]) : [known]
  if (estimate < MANY) return await rankedPage<Row>(db, query, filters)
  const statement = sql<{ total: number }>`select count(*) as total from ${sql.table(query.table)} ${where(filters)}`
  const { sql: text, parameters } = statement.compile(db)
  const totals = remembered.get(db) ?? new RememberedTotals()
  remembered.set(db, totals)
  const total = totals.recall(JSON.stringify([text, parameters]), async () => {
    const { rows } = await statement.execute(db)
    return rows[0]?.total ?? 0
  })
  return { rows: await pageOfMany<Row>(db, query, filters), total: total ?? estimate }
}

/**
 * For each condition, about how many match it, told by a sample of the table that is always the same: an index can tell only by listing them all.
 * Of a small table none is looked at, and the answer is 0.
 */
export async function estimateMatches(
  db: Db,
  { table }: Search,
  conditions: readonly RawBuilder<unknown>[],
): Promise<readonly number[]> {
  const counts = conditions.map((condition) => sql`count(*) filter (where ${condition})`)
  const size = sql`(select reltuples from pg_class where oid = ${table}::regclass)`
  const share = sql`(select 100.0 * ${sql.lit(SAMPLE)} / greatest(reltuples, ${sql.lit(SAMPLE)}) from pg_class where oid = ${table}::regclass)`
  const { rows } = await sql<{ sampled: number[]; size: number }>`
    select array[${sql.join(counts)}]::integer[] as sampled, ${size} as size
    from ${sql.table(table)} tablesample system (${share}) repeatable (1)
    where ${size} >= ${sql.lit(LARGE)}`.execute(db)
  const { sampled = [], size: all = 0 } = rows[0] ?? {}
  return sampled.map((count) => Math.round((count * all) / SAMPLE))
}

/** All matches, ranked: their keys first, since the records of one page are all that is wanted. */
async function rankedPage<Row>(db: Db, query: Search, filters: readonly RawBuilder<unknown>[]): Promise<Found<Row>> {
  const { table, select, rank, text, limit, offset } = query
  const keys = keysOf(query)
  const { rows } = await sql<Row & { total: number; rank: string | null }>`
    with matched as materialized (
      select ${keys}, row(${text ? rank : sql`1`}) as rank from ${sql.table(table)} ${where(filters)}
    ), page as (
      select * from matched order by rank, ${keys} limit ${limit} offset ${offset}
    )
    select counted.total, record.*
    from (select count(*) as total from matched) counted
    left join (select page.rank, ${select} from page join ${sql.table(table)} using (${keys})) record on true
    order by rank, ${keys}`.execute(db)
  const found = rows.filter((row) => row.rank !== null)
  return { rows: found.map(({ total: _, rank: __, ...row }) => row as Row), total: rows[0]?.total ?? 0 }
}

/** A page by key, with those first that are named to be. */
async function pageOfMany<Row>(db: Db, query: Search, filters: readonly RawBuilder<unknown>[]): Promise<Row[]> {
  const { table, first, limit, offset } = query
  if (!first) return await pageByKey<Row>(db, query, filters)
  const start = [...query.filters, first]
  const ahead = await pageByKey<Row>(db, query, start)
  if (ahead.length === limit) return ahead
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} ${where(start)}`.execute(db)
  const rest = { ...query, limit: limit - ahead.length, offset: Math.max(0, offset - (rows[0]?.count ?? 0)) }
  return [...ahead, ...(await pageByKey<Row>(db, rest, [...filters, sql`not (${first})`]))]
}

/** What stands before the page is walked over in the index alone, where the filters allow it. */
export async function pageByKey<Row>(db: Db, query: Search, filters: readonly RawBuilder<unknown>[]): Promise<Row[]> {
  const { table, select, limit, offset } = query
  const keys = keysOf(query)
  const { rows } = await sql<Row>`
    select ${select}
    from (select ${keys} from ${sql.table(table)} ${where(filters)} order by ${keys} limit ${limit} offset ${offset}) page
    join ${sql.table(table)} using (${keys})
    order by ${keys}`.execute(db)
  return rows
}

export const keysOf = ({ key }: Search): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(column)))

const all = (filters: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...filters], sql` and `)

export const where = (filters: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  filters.length === 0 ? sql`` : sql`where ${all(filters)}`
