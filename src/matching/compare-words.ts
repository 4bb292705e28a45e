import { editDistance } from '../lib/edit-distance.ts'

/**
 * Returns the similarity of two words, from 0 to 1: one minus the edit distance divided by the length of the longer
 * word.
 */
export function wordSimilarity(one: string, other: string): number {
  if (one === other) return 1
  const longest = Math.max(one.length, other.length)
  return 1 - editDistance(one, other) / longest
}

/** Similarity scores for two word lists whose words have been paired. */
export interface Alignment {
  /** Similarity of each word to its counterpart in the other list; 0 for unpaired words. */
  one: number[]
  other: number[]
}

/** Minimum similarity at which one word may be a misspelling of the other. */
const TYPO = 0.7

/**
 * Pairs the words of two names, most similar words first. A word also matches the sequence of adjacent words that it
 * joins (`blackrock`, `black rock`) and a word that starts with it (`assoc`, `associate`).
 */
export function alignWords(one: readonly string[], other: readonly string[]): Alignment {
  const alignment = { one: one.map(() => 0), other: other.map(() => 0) }
  const pairs = one.flatMap((word, i) => other.map((with_, j) => ({ i, j, likeness: likeness(word, with_) })))
  pairs.sort((a, b) => b.likeness - a.likeness || Math.abs(a.i - a.j) - Math.abs(b.i - b.j))
  for (const { i, j, likeness } of pairs) {
    if (likeness === 0) break
    if (alignment.one[i] !== 0 || alignment.other[j] !== 0) continue
    alignment.one[i] = likeness
    alignment.other[j] = likeness
  }
  joinWords(one, other, alignment.one, alignment.other)
  joinWords(other, one, alignment.other, alignment.one)
  return alignment
}

function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length >= 3 && long.startsWith(short)) return Math.max(0.6, short.length / long.length)
  if (short.length < 4) return 0
  const similarity = wordSimilarity(one, other)
  return similarity >= TYPO ? similarity : 0
}

/** Pairs a word that has no equal counterpart with the sequence of adjacent words that it joins. */
function joinWords(
  joined: readonly string[],
  split: readonly string[],
  joinedScores: number[],
  splitScores: number[],
): void {
  for (const [place, word] of joined.entries()) {
    if (joinedScores[place] === 1) continue
    for (let from = 0; from < split.length - 1; from += 1)
      for (let to = from + 2; to <= Math.min(split.length, from + 3); to += 1)
        if (split.slice(from, to).join('') === word) {
          joinedScores[place] = 1
          splitScores.fill(1, from, to)
        }
  }
}
