import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Normalizes a search term like the stored texts: lower case, single spaces. */
export function searchTerm(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** A `like` pattern for texts that contain the term. */
export const containing = (term: string): string => `%${escapeLike(term)}%`

const escapeLike = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** A term needs at least one letter or digit. */
export const isSearchable = (term: string): boolean => /[\p{L}\p{N}]/u.test(term)

/** Terms the trigram index supports: three characters in a row, or the beginning of a word. */
const INDEXED = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]/u

/** `like` patterns for texts that contain the term; terms too short for the index match only at the beginning of words. */
export function patternsOf(term: string): string[] {
  if (INDEXED.test(term)) return [containing(term)]
  return [`${escapeLike(term)}%`, `% ${escapeLike(term)}%`]
}

/** Condition: the column matches one of the term's patterns. */
export function contains(column: RawBuilder<unknown>, term: string): RawBuilder<unknown> {
  const likes = patternsOf(term).map((pattern) => sql`${column} like ${pattern}`)
  return sql`(${sql.join(likes, sql` or `)})`
}

/** The column without its index, for conditions to be checked on rows found by another condition. */
export const unindexed = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${column} || '')`

/** All terms with two adjacent letters swapped. Trigrams miss this typo, because a swap changes most trigrams of a short word. */
export function swapped(term: string): string[] {
  if (term.length > 40) return []
  const letters = [...term]
  return letters.slice(1).flatMap((letter, place) => {
    const before = letters[place] as string
    if (letter === before || letter === ' ' || before === ' ') return []
    return [[...letters.slice(0, place), letter, before, ...letters.slice(place + 2)].join('')]
  })
}
