/** Consecutive words in a text that may form a name. */
export interface NameRun {
  text: string
  start: number
  end: number
}

/** Hyphens separate words, so hyphenated names and URL slugs count as several words. */
const WORD = /[\p{Letter}\p{Mark}.'’]+/gu
const LENGTHS = [2, 3, 4, 5]

/** Returns all sequences of two to five words, the usual length of names. */
export function nameRuns(text: string): NameRun[] {
  const words = [...text.matchAll(WORD)]
  return words.flatMap((first, at) =>
    LENGTHS.flatMap((length) => {
      const last = words[at + length - 1]
      if (!last) return []
      const [start, end] = [first.index, last.index + last[0].length]
      return [{ text: text.slice(start, end), start, end }]
    }),
  )
}
