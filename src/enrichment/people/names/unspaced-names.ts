import { COMPOUND_FAMILY_NAMES } from './name-words.ts'

const HAN = /^\p{Script=Han}{2,6}$/u
const HANGUL = /^\p{Script=Hangul}{2,5}$/u

/**
 * Splits names in Han, Hangul and Kana. If there is a space, the family name comes first (山田 太郎). A middle dot
 * separates the parts of a foreign name, which are in their original order (ジェーン・ドウ). Short names without a separator
 * are split after the Chinese or Korean family name. Other names are not split, because they may be Japanese and
 * splitting them requires a dictionary. Returns null for other scripts.
 */
export function parseUnspacedName(
  tokens: string[],
): { first: string[]; middle: string[]; last: string[]; familyFirst?: boolean; joiner?: string } | null {
  const text = tokens.join(' ')
  if (!/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・·\s]+$/u.test(text)) return null
  const dotted = text.split(/[・·]/)
  if (dotted.length > 1)
    return {
      first: dotted.slice(0, 1),
      middle: dotted.slice(1, -1),
      last: dotted.slice(-1),
      joiner: text.includes('·') ? '·' : '・',
    }
  if (tokens.length > 1) return { first: tokens.slice(1), middle: [], last: tokens.slice(0, 1), familyFirst: true }
  if (!HANGUL.test(text) && !(HAN.test(text) && [...text].length <= 4)) return { first: tokens, middle: [], last: [] }
  const letters = [...text]
  const compound = letters.length > 2 && COMPOUND_FAMILY_NAMES.has(letters.slice(0, 2).join(''))
  if (HAN.test(text) && letters.length === 4 && !compound) return { first: tokens, middle: [], last: [] }
  const family = compound ? 2 : 1
  return {
    first: [letters.slice(family).join('')],
    middle: [],
    last: [letters.slice(0, family).join('')],
    familyFirst: true,
    joiner: '',
  }
}
