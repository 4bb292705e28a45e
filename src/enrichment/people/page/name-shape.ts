import { classifyText } from '../models/classify-text.ts'
import { GIVEN_NAMES, PARTICLES } from '../names/name-words.ts'
import { parseName } from '../names/parse-name.ts'
import { scoreName } from '../names/score-name.ts'

/** Returns the likelihood that a text is a name, based on known words and on the text's letters. */
export function nameScore(text: string): number {
  const { name } = classifyText(plainName(text))
  return Math.max((scoreName(text) + name) / 2, isForeignName(text) ? MIN_FOREIGN : 0)
}

/** Matches a foreign name in Japanese or Korean, whose parts are separated by spaces or middle dots. */
const FOREIGN_NAME =
  /^(?:[\p{Script=Katakana}ー]{1,8}(?:[\s・][\p{Script=Katakana}ー]{1,8}){1,3}|\p{Script=Hangul}{1,5}(?:\s\p{Script=Hangul}{1,4}){2})$/u
export const isForeignName = (text: string): boolean => FOREIGN_NAME.test(text)
/** Minimum likelihood of a text with the form of a foreign name. The letters of such names are rare in other names. */
const MIN_FOREIGN = 0.45

/** Returns a name without honorifics or credentials. */
export const plainName = (text: string): string => parseName(text)?.full_name ?? text

const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・·\s]+$/u
const CASELESS = /^[\p{Lo}\p{M}\s.'’״׳-]+$/u

/** Returns whether a text has the form of a name: a few words, capitalized if the script has letter case. */
export function isNameShaped(written: string): boolean {
  if (written.length < 2 || written.length > 70 || /[\d@\\/|?!;=<>{}[\]_#$%^~+:…]|www|\.\./u.test(written)) return false
  const text = plainName(written)
  if (text.includes('&')) return false
  if (UNSPACED.test(text)) {
    const length = text.replace(/\s/gu, '').length
    return (
      length >= 2 &&
      (isForeignName(text) ? length <= 22 : length <= (/[·・]/u.test(text) ? 10 : 6) && text.split(/\s/u).length <= 2)
    )
  }
  const words = text.split(/\s+/u)
  if (CASELESS.test(text))
    return words.length >= 2 && words.length <= 4 && words.every((word) => word.length >= 2 && word.length <= 14)
  const names = words.filter((word) => !PARTICLES.has(word))
  if (words.length > 6 || !names.every((word) => /^(?:\p{Ll}{1,4}['’])?\p{Lu}/u.test(word))) return false
  if (names.length < 2) return words.length === 1 && /^\p{Lu}\p{Ll}{2,}$/u.test(text)
  return names.some((word) => /\p{L}{2}/u.test(word) && !word.endsWith('.'))
}

/** Returns whether a name contains a listed given name. */
export const hasGivenName = (text: string): boolean =>
  plainName(text)
    .toLowerCase()
    .split(/[\s-]+/u)
    .some((word) => GIVEN_NAMES.has(word.normalize('NFD').replace(/\p{M}/gu, '')))
