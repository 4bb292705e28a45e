import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Normalizes a search term in the same way as the stored texts: lower case and single spaces. */
export function searchTerm(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** A `like` pattern for texts that contain the term. */
export const containing = (term: string): string => `%${escapeLike(term)}%`

const escapeLike = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** Reports whether a term has at least one letter or digit. */
export const isSearchable = (term: string): boolean => /[\p{L}\p{N}]/u.test(term)

/** Matches terms that the trigram index supports: three consecutive characters, or the start of a word. */
const INDEXED = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]/u

/** `like` patterns for texts that contain the term. Terms too short for the index match only at the start of words. */
export function patternsOf(term: string): string[] {
  if (INDEXED.test(term)) return [containing(term)]
  return [`${escapeLike(term)}%`, `% ${escapeLike(term)}%`]
}

/** SQL condition for rows in which the column matches one of the term's patterns. */
export function contains(column: RawBuilder<unknown>, term: string): RawBuilder<unknown> {
  const likes = patternsOf(term).map((pattern) => sql`${column} like ${pattern}`)
  return sql`(${sql.join(likes, sql` or `)})`
}

/**
 * Returns an expression for the column that prevents the use of its index, for conditions that only filter rows
 * selected by another condition.
 */
export const unindexed = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${column} || '')`

/**
 * Returns all variants of a term with two adjacent letters swapped. Trigrams miss this typo, because swapping two
 * letters changes most trigrams of a short word.
 */
export function swapped(term: string): string[] {
  if (term.length > 40) return []
  const letters = [...term]
  return letters.slice(1).flatMap((letter, place) => {
    const before = letters[place] as string
    if (letter === before || letter === ' ' || before === ' ') return []
    return [[...letters.slice(0, place), letter, before, ...letters.slice(place + 2)].join('')]
  })
}
