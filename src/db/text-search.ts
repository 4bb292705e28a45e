import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Found, Search } from './search-pages.ts'
import { estimateMatches, keysOf, MANY, matching, pageByKey, where } from './search-pages.ts'
import { contains, isSearchable, patternsOf, swapped, unindexed } from './text-match.ts'

/** Of a word's trigrams, this share is found in what is spelt nearly so. The extension's own 0.6 misses a wrong letter in a short name. */
const NEARNESS = 0.4

/** So many near spellings are compared at the most: a common beginning must not make a search read the whole table. */
const MOST_NEAR = 1_000

/** Words of a term that are looked for on their own. */
const MOST_WORDS = 6

/**
 * A page of what matches, and how many there are in all. Texts that contain the term are found; when none does, texts with all of its words are,
 * where a word that no text has is taken for the one it is spelt nearly like. Up to about ten thousand matches are ranked and counted
 * exactly; more come by key, with the total as it was counted last, or estimated until it is.
 */
export async function search<Row>(db: Db, query: Search): Promise<Found<Row>> {
  const { text, filters } = query
  if (!text) {
    if (filters.length > 0) return await matching<Row>(db, query, filters)
    const [rows, total] = await Promise.all([pageByKey<Row>(db, query, []), query.countAll()])
    return { rows, total }
  }
  const words = [...new Set(text.term.split(' ').filter(isSearchable))].slice(0, MOST_WORDS)
  if (words.length === 0) return { rows: [], total: 0 }
  const frequencies = await estimateMatches(
    db,
    query,
    words.map((word) => contains(text.column, word)),
  )
  const wholeTerm = containsAll(text, words, frequencies)
  const atMost = Math.min(...frequencies)
  const estimate = atMost < MANY || (words[0] === text.term && filters.length === 0) ? atMost : undefined
  const literal = await matching<Row>(db, query, [...filters, ...wholeTerm], estimate)
  return literal.total > 0 ? literal : await misspelt<Row>(db, query, text, words, frequencies)
}

/**
 * The text holds the whole term. Where a word of it is rare, the index is asked for that word alone: asked for all of them, it would read through the
 * long lists of the frequent ones.
 */
function containsAll({ column, term }: Text, words: readonly string[], frequencies: readonly number[]) {
  if (words[0] === term || Math.min(...frequencies) >= MANY) return [contains(column, term)]
  const rarest = [...words.keys()].sort(
    (a, b) => (frequencies[a] ?? 0) - (frequencies[b] ?? 0) || (words[b]?.length ?? 0) - (words[a]?.length ?? 0),
  )[0] as number
  return [contains(column, words[rarest] as string), contains(unindexed(column), term)]
}

type Text = NonNullable<Search['text']>

/** Texts with all words of the term; those with a word that nobody has need one spelt nearly so, and come nearest first. */
async function misspelt<Row>(
  db: Db,
  query: Search,
  text: Text,
  words: readonly string[],
  frequencies: readonly number[],
): Promise<Found<Row>> {
  const { column, term } = text
  const near = await db.transaction().execute(async (trx) => {
    // Both for this transaction alone. What is looked for here is often not there: to read the table for it would be to read all of it.
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(NEARNESS)}, true), set_config('enable_seqscan', 'off', true)`.execute(
      trx,
    )
    const conditions: RawBuilder<unknown>[] = []
    const hasRareWord = frequencies.some((frequency) => frequency < MANY)
    let unknown = false
    for (const [place, word] of words.entries()) {
      const frequency = frequencies[place] ?? 0
      const known =
        frequency > 0
          ? word
          : ((await firstKnown(trx, query, text, [word])) ?? (await firstKnown(trx, query, text, swapped(word))))
      const within = frequency >= MANY && hasRareWord ? unindexed(column) : column
      conditions.push(known === undefined ? sql`${word} <% ${column}` : contains(within, known))
      unknown ||= known === undefined
    }
    if (!unknown) return { conditions }
    const { rows } = await sql<Row>`
      select ${query.select}
      from (select * from ${sql.table(query.table)} ${where([...query.filters, ...conditions])} limit ${MOST_NEAR}) as candidate
      order by ${term} <<-> ${column}, ${term} <-> ${column}, ${keysOf(query)}`.execute(trx)
    return { rows }
  })
  if (near.rows) return { rows: near.rows.slice(query.offset, query.offset + query.limit), total: near.rows.length }
  const { first: _, ...wordsApart } = query
  return await matching<Row>(db, wordsApart, [...query.filters, ...near.conditions])
}

/** The first of these words that any text contains. */
async function firstKnown(
  trx: Db,
  { table }: Search,
  { column }: Text,
  words: readonly string[],
): Promise<string | undefined> {
  const given = words.flatMap((word) => patternsOf(word).map((pattern) => ({ word, pattern })))
  if (given.length === 0) return undefined
  const { rows } = await sql<{ word: string }>`
    select word
    from unnest(${given.map(({ word }) => word)}::text[], ${given.map(({ pattern }) => pattern)}::text[]) as given (word, pattern)
    where exists (select from ${sql.table(table)} where ${column} like pattern)
    limit 1`.execute(trx)
  return rows[0]?.word
}
