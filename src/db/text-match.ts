import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** What is searched for, as texts in store are compared with it: lower case, single spaces. */
export function searchTerm(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** A `like` pattern for texts that contain the term. */
export const containing = (term: string): string => `%${asWritten(term)}%`

const asWritten = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** Without a letter or a digit there is nothing to find. */
export const isSearchable = (term: string): boolean => /[\p{L}\p{N}]/u.test(term)

/** The index of texts knows three characters in a row, and the beginnings of words. */
const INDEXED = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]/u

/** `like` patterns for texts that contain the term; one that is too short for the index is looked for at the beginnings of words. */
export function patternsOf(term: string): string[] {
  if (INDEXED.test(term)) return [containing(term)]
  return [`${asWritten(term)}%`, `% ${asWritten(term)}%`]
}

/** The condition for one of these patterns. */
export function contains(column: RawBuilder<unknown>, term: string): RawBuilder<unknown> {
  const likes = patternsOf(term).map((pattern) => sql`${column} like ${pattern}`)
  return sql`(${sql.join(likes, sql` or `)})`
}

/** The same text, of which no index knows: for what is checked on the rows that another condition has found. */
export const unindexed = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${column} || '')`

/** Two swapped letters change most trigrams of a short word, so they are undone instead: every term that one swap would have made. */
export function swapped(term: string): string[] {
  if (term.length > 40) return []
  const letters = [...term]
  return letters.slice(1).flatMap((letter, place) => {
    const before = letters[place] as string
    if (letter === before || letter === ' ' || before === ' ') return []
    return [[...letters.slice(0, place), letter, before, ...letters.slice(place + 2)].join('')]
  })
}
