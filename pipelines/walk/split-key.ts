import { BYTE_ORDER } from './key-order.ts'

const { compare } = BYTE_ORDER

const CLASSES = [/[0-9]/g, /[a-z]/g, /[A-Z]/g] as const
const MEMBERS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const
/** Number of characters used after the common prefix. A double is not precise enough for more characters. */
const DEPTH = 8

/**
 * Returns a key strictly between two other keys in byte order, near the middle if the existing keys are similar. The
 * new character is a digit between two digits, and a letter between two letters. The returned key need not exist.
 * Returns undefined if the keys are too close together.
 */
export function splitKey(low: string, high: string): string | undefined {
  const prefix = commonPrefix(low, high)
  const middle = middleKey(prefix, low, high)
  if (middle !== undefined) return middle
  // All keys in between may start with the same characters as `high`: between 802 and 802-9, every key starts with
  // 802-.
  const beginning = prefix + ([...high.slice(prefix.length)][0] ?? '')
  const isBetween = compare(low, beginning) < 0 && compare(beginning, high) < 0
  return isBetween ? (splitKey(beginning, high) ?? beginning) : undefined
}

function middleKey(prefix: string, low: string, high: string): string | undefined {
  const alphabet = alphabetOf(low.slice(prefix.length) + high.slice(prefix.length))
  const base = alphabet.length + 1
  const value = (text: string): number => fraction([...text.slice(prefix.length)], alphabet, base)
  const middle = digits((value(low) + value(high)) / 2, base).map((digit) => alphabet[digit - 1])
  for (let length = 1; length <= middle.length; length += 1) {
    const key = prefix + middle.slice(0, length).join('')
    if (compare(low, key) < 0 && compare(key, high) < 0) return key
  }
  return undefined
}

function commonPrefix(a: string, b: string): string {
  const left = [...a]
  const right = [...b]
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return left.slice(0, length).join('')
}

/** All characters that similar keys may contain, in byte order. */
function alphabetOf(text: string): string[] {
  const members = CLASSES.map((pattern, index) => (text.search(pattern) >= 0 ? MEMBERS[index] : '')).join('')
  return [...new Set([...text, ...members])].sort(compare)
}

/** Converts text to a fraction in the alphabet's base; digit 0 marks the end of the text. */
function fraction(text: string[], alphabet: string[], base: number): number {
  return text
    .slice(0, DEPTH)
    .reduce((sum, character, place) => sum + (alphabet.indexOf(character) + 1) / base ** (place + 1), 0)
}

/** Returns the digits of a fraction, up to the first 0. */
function digits(value: number, base: number): number[] {
  const found: number[] = []
  for (let rest = value * base; found.length < DEPTH && rest >= 1; rest = (rest - Math.floor(rest)) * base)
    found.push(Math.floor(rest))
  return found
}
