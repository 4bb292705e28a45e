/**
 * A word without its inflection: `opens`, `opened` and `opening` are one, but `international` is not `intern`, nor `us` `use`.
 * A stemmer for search folds those too; in a headline they are the difference between a country and a verb.
 */
export function baseForm(word: string): string {
  if (!/^[a-z]{4,}$/u.test(word) || OTHERS.has(word)) return word
  if (/[^aeiou]ie[sd]$/u.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2)
  if (/[^aius]s$/u.test(word)) return withoutFinalE(word.slice(0, -1))
  const verb = /^(\w*[aeiouy]\w+)(?<=\w{3})(?<!e)(?:ed|ing)$/u.exec(word)?.[1]
  return withoutFinalE(verb ? verb.replace(/(\w{2})([bdgmnprt])\2$/u, '$1$2') : word)
}

/** Words of their own, whatever they were made of. */
const OTHERS = new Set('news sales goods means series species marketing staking'.split(' '))

/** `raise` and `raising` must meet, `care` and `car` must not. */
const withoutFinalE = (word: string): string => (word.length > 4 ? word.replace(/e$/u, '') : word)
