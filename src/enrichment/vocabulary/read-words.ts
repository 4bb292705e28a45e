import { readFileSync } from 'node:fs'

/**
 * The entries of a word list in this folder, by its path without `.txt`: one entry per line, sorted. Blank lines and lines that start with
 * `#` are skipped. Call it once per list, when the module that uses it is loaded.
 */
export function readWords(list: string): readonly string[] {
  return readFileSync(new URL(`${list}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The same list as a set. */
export const readWordSet = (list: string): ReadonlySet<string> => new Set(readWords(list))

/** The entries as the alternatives of a regular expression, the longest first. */
export const readAlternatives = (list: string): string =>
  readWords(list)
    .toSorted((a, b) => b.length - a.length)
    .map(escapePattern)
    .join('|')

/**
 * A regular expression that finds any entry of a list. An entry matches whole words; a `*` before or after it lifts that bound: `recruit*`,
 * `*leiter`, `*財務*`. `or` adds what only a pattern can express.
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

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
