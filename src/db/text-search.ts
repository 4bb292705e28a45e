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

/** Of a word's trigrams, this share is found in what is spelt nearly so. The extension's own 0.6 misses a wrong letter in a short name. */
const NEARNESS = 0.4

/** So many near spellings are compared at the most: a common beginning must not make a search read the whole table. */
const MOST_NEAR = 1_000

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
 * A page of what matches, and how many there are in all: exact, whatever the page; above ten thousand, exact a few seconds ago. Texts that contain the term are found; when none
 * does, texts with all of its words are, where a word that no text has is taken for the one it is spelt nearly like.
 */
export async function search<Row>(db: Db, query: Search): Promise<{ rows: Row[]; total: number }> {
  const { text, filters, key } = query
  if (!text) {
    const total = filters.length === 0 ? query.countAll() : count(db, query, filters)
    const [rows, all] = await Promise.all([page<Row>(db, query, filters, key), total])
    return { rows, total: all }
  }
  const contains = (term: string) => sql`${text.column} like ${containing(term)}`
  const literal = await pageOf<Row>(db, query, contains(text.term))
  if (literal.total > 0) return literal
  const { known, unknown } = await knownWords(db, query, text)
  const repaired = await Promise.all(unknown.map((word) => firstKnown(db, query, text, swapped(word))))
  const misspelt = unknown.filter((_, place) => repaired[place] === undefined)
  const certain = [...known, ...repaired.filter((word) => word !== undefined)]
  const everyWord = certain.map(contains)
  if (misspelt.length === 0) return await pageOf<Row>(db, query, sql.join(everyWord, sql` and `))
  return await nearest<Row>(db, query, everyWord, misspelt)
}

type Text = NonNullable<Search['text']>

/** Which words of the term are found in any text at all. */
async function knownWords(db: Db, query: Search, text: Text): Promise<{ known: string[]; unknown: string[] }> {
  const words = [...new Set(text.term.split(' '))].slice(0, MOST_WORDS)
  const found = await Promise.all(words.map((word) => firstKnown(db, query, text, [word])))
  return {
    known: words.filter((_, place) => found[place] !== undefined),
    unknown: words.filter((_, place) => found[place] === undefined),
  }
}

const MOST_WORDS = 6

/** The first of these words that any text contains. */
async function firstKnown(
  db: Db,
  { from }: Search,
  { column }: Text,
  words: readonly string[],
): Promise<string | undefined> {
  if (words.length === 0) return undefined
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[], ${words.map(containing)}::text[]) as given (word, pattern)
    where exists (select from ${from} where ${column} like pattern)
    limit 1`.execute(db)
  return rows[0]?.word
}

/** What has the words that are known, and others spelt nearly like the rest; nearest first. */
async function nearest<Row>(
  db: Db,
  query: Search,
  everyWord: readonly RawBuilder<unknown>[],
  misspelt: readonly string[],
): Promise<{ rows: Row[]; total: number }> {
  const { column, term } = query.text as Text
  // The nearness holds for this transaction alone.
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(NEARNESS)}, true)`.execute(trx)
    const near = [...query.filters, ...everyWord, ...misspelt.map((word) => sql`${word} <% ${column}`)]
    const { rows } = await sql<Row>`
      select ${query.select} from (select * from ${query.from} ${where(near)} limit ${MOST_NEAR}) as candidate
      order by ${term} <<-> ${column}, ${term} <-> ${column}, ${query.key}`.execute(trx)
    return { rows: rows.slice(query.offset, query.offset + query.limit), total: rows.length }
  })
}

async function pageOf<Row>(db: Db, query: Search, match: RawBuilder<unknown>): Promise<{ rows: Row[]; total: number }> {
  const filters = [...query.filters, match]
  const total = await count(db, query, filters)
  if (total === 0) return { rows: [], total }
  const byRank = total > MOST_RANKED ? query.key : sql`${query.rank}, ${query.key}`
  return { rows: await page<Row>(db, query, filters, byRank), total }
}

/** From here on a total is remembered for a while: to count is to look at each, and whoever pages asks for it again and again. */
const MANY = 10_000
const REMEMBERED_FOR = 10_000

const totals = new WeakMap<Db, Map<string, { total: number; until: number }>>()

async function count(db: Db, { from }: Search, filters: readonly RawBuilder<unknown>[]): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total from ${from} ${where(filters)}`
  const { sql: text, parameters } = query.compile(db)
  const key = JSON.stringify([text, parameters])
  const memory = totals.get(db) ?? new Map()
  totals.set(db, memory)
  const known = memory.get(key)
  if (known && known.until > performance.now()) return known.total
  const { rows } = await query.execute(db)
  const { total } = rows[0] as { total: number }
  if (memory.size >= 1_000) memory.clear()
  if (total > MANY) memory.set(key, { total, until: performance.now() + REMEMBERED_FOR })
  return total
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
