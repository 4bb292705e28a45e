/**
 * Returns the base form of an inflected word, which is the same for `opens`, `opened` and `opening`. Unlike a search
 * stemmer, this function distinguishes `international` from `intern`, and `us` from `use`.
 */
export function baseForm(word: string): string {
  if (!/^[a-z]{4,}$/u.test(word) || UNINFLECTED.has(word)) return word
  if (/[^aeiou]ie[sd]$/u.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2)
  if (/[^aius]s$/u.test(word)) return withoutFinalE(word.slice(0, -1))
  const verb = /^(\w*[aeiouy]\w+)(?<=\w{3})(?<!e)(?:ed|ing)$/u.exec(word)?.[1]
  return withoutFinalE(verb ? verb.replace(/(\w{2})([bdgmnprt])\2$/u, '$1$2') : word)
}

/** Words that look inflected but are not. */
const UNINFLECTED = new Set('news sales goods means series species marketing staking'.split(' '))

/**
 * Removes a final `e`, so that `raise` and `raising` have the same base form. Keeps the `e` in short words, so that
 * `care` and `car` differ.
 */
const withoutFinalE = (word: string): string => (word.length > 4 ? word.replace(/e$/u, '') : word)
