import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What is searched for, as texts in store are compared with it: lower case, single spaces. */
export function searchTerm(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** A `like` pattern for texts that contain the term. */
export function containing(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`
}

/** Past this, matches are not ranked: to rank is to read them all. They come in the order of their keys. */
const MOST_RANKED = 1_000

/** Of a term's trigrams, this share is found in what is spelt nearly so. The extension's own 0.6 misses a wrong letter in a short name. */
const NEARNESS = 0.4

/** Two swapped letters change most trigrams of a short word, so they are undone instead: every term that one swap would have made. */
function swapped(term: string): string[] {
  if (term.length > 40) return []
  const letters = [...term]
  return letters.slice(1).flatMap((letter, place) => {
    const before = letters[place] as string
    if (letter === before || letter === ' ' || before === ' ') return []
    return [[...letters.slice(0, place), letter, before, ...letters.slice(place + 2)].join('')]
  })
}

export interface Search {
  /** The table, and what joins it. */
  from: RawBuilder<unknown>
  /** Everything that must hold beside the text. */
  filters: readonly RawBuilder<unknown>[]
  /** The column that is searched in, and what for; null when no text was given. */
  text: { column: RawBuilder<unknown>; term: string } | null
  /** Better matches first, among those that contain the term: expressions that are smaller for the better. */
  rank: RawBuilder<unknown>
  /** The unique key by which equals are ordered. */
  key: RawBuilder<unknown>
  select: RawBuilder<unknown>
  limit: number
  offset: number
  /** How many there are without any text or filter, if somebody counts them. */
  countAll(): Promise<number>
}

/**
 * A page of what matches, and how many there are in all: exact, whatever the page. Texts that contain the term are found; when none
 * does, those that are spelt nearly so are, nearest first.
 */
export async function search<Row>(db: Db, query: Search): Promise<{ rows: Row[]; total: number }> {
  const { text, filters, key } = query
  if (!text) {
    const total = filters.length === 0 ? query.countAll() : count(db, query, filters)
    const [rows, all] = await Promise.all([page<Row>(db, query, filters, key), total])
    return { rows, total: all }
  }
  const literal = [...filters, sql`${text.column} like ${containing(text.term)}`]
  const total = await count(db, query, literal)
  if (total > 0) {
    const order = total > MOST_RANKED ? key : sql`${query.rank}, ${key}`
    return { rows: await page<Row>(db, query, literal, order), total }
  }
  // The nearness holds for this transaction alone.
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(NEARNESS)}, true)`.execute(trx)
    const near = [
      ...filters,
      sql`(${text.term} <% ${text.column} or ${text.column} like any (${swapped(text.term).map(containing)}::text[]))`,
    ]
    const order = sql`${text.term} <<-> ${text.column}, ${text.term} <-> ${text.column}, ${key}`
    const rows = await page<Row>(trx, query, near, order)
    return { rows, total: rows.length === 0 && query.offset === 0 ? 0 : await count(trx, query, near) }
  })
}

async function count(db: Db, { from }: Search, filters: readonly RawBuilder<unknown>[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${from} ${where(filters)}`.execute(db)
  return (rows[0] as { total: number }).total
}

async function page<Row>(
  db: Db,
  { from, select, limit, offset }: Search,
  filters: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${select} from ${from} ${where(filters)} order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

const where = (filters: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  filters.length === 0 ? sql`` : sql`where ${sql.join([...filters], sql` and `)}`
