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
