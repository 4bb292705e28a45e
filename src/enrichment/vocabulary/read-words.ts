import { readFileSync } from 'node:fs'

/**
 * Reads a word list in this folder. `list` is its path without `.txt`. The file contains one entry per line, sorted.
 * Blank lines and lines that start with `#` are skipped. Call this once per list, when the module that uses the list is
 * loaded.
 */
export function readWords(list: string): readonly string[] {
  return readFileSync(new URL(`${list}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Reads a word list as a set. */
export const readWordSet = (list: string): ReadonlySet<string> => new Set(readWords(list))

/** Reads a word list as alternatives for a regular expression, longest first. */
export const readAlternatives = (list: string): string =>
  readWords(list)
    .toSorted((a, b) => b.length - a.length)
    .map(escapePattern)
    .join('|')

/**
 * Returns a regular expression that matches any entry of a list as whole words. A `*` before or after an entry disables
 * the word boundary on that side: `recruit*`, `*leiter`, `*財務*`. `or` is an additional pattern.
 */
export function readPattern(list: string, { or, flags }: { or?: RegExp; flags?: string } = {}): RegExp {
  const sources = readWords(list)
    .toSorted((a, b) => b.length - a.length)
    .map((entry) => {
      const word = escapePattern(entry.replace(/^\*|\*$/g, ''))
      return `${entry.startsWith('*') ? '' : '\\b'}${word}${entry.endsWith('*') ? '' : '\\b'}`
    })
  return new RegExp([...sources, ...(or ? [or.source] : [])].join('|'), flags)
}

/** Escapes a text for use in a regular expression with the `u` flag. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
