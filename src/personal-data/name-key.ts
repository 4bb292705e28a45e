import { foldAccents } from '../lib/fold-accents.ts'

const HONORIFICS = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'professor', 'sir', 'dame', 'hon', 'rev'])
const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'esq', 'phd', 'md', 'cfa', 'cpa', 'cfp', 'mba', 'jd', 'caia'])

/**
 * Returns a comparison key built from the given name and the family name. The key ignores case, accents, punctuation,
 * titles, suffixes and middle names.
 */
export function nameKey(fullName: string): string {
  const words = wordsOf(fullName)
  const [first, last] = [words[0], words.at(-1)]
  return words.length > 1 ? `${first} ${last}` : (first ?? fullName.trim().toLowerCase())
}

/** Converts `ROE, JANE, ANN`, as filed in Form ADV, to `JANE ANN ROE`. */
export function fromFiledOrder(name: string): string {
  const [last = '', ...others] = name.split(',').map((part) => part.trim())
  return [...others, last].join(' ')
}

/**
 * Reports whether two names may belong to the same person: their keys are equal, and their middle names do not
 * conflict. `J. A. Roe` matches `J. Roe`.
 */
export function sameName(a: string, b: string): boolean {
  if (nameKey(a) !== nameKey(b)) return false
  const [middleA, middleB] = [wordsOf(a).slice(1, -1), wordsOf(b).slice(1, -1)]
  return middleA.every((name, place) => {
    const other = middleB[place]
    return other === undefined || name.startsWith(other) || other.startsWith(name)
  })
}

function wordsOf(fullName: string): string[] {
  const words = foldAccents(fullName)
    .toLowerCase()
    .replace(/['’.]/g, '')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '')
  while (words.length > 2 && HONORIFICS.has(words[0] as string)) words.shift()
  while (words.length > 2 && SUFFIXES.has(words.at(-1) as string)) words.pop()
  return words
}
