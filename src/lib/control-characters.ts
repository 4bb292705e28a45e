import { stripVTControlCharacters } from 'node:util'

/** Control characters except tab and line breaks, and characters that change the direction of surrounding text. */
const CONTROLS = /[[\p{Cc}\p{Bidi_Control}]--[\t\n\r]]/gv
/** Control characters that separate words. */
const SEPARATORS = /[\v\f\x85]/gv
/** Invisible characters that carry no meaning: soft hyphens, zero-width spaces, byte order marks and fillers. */
const INVISIBLE = /[\p{DI}--[\p{Bidi_Control}\p{Variation_Selector}\u180e\u200c\u200d\u{e0020}-\u{e007f}]]/gv
/**
 * Joiners outside the scripts that use them, and tag characters outside flag emoji. In all other text, zero-width
 * joiners are kept, because Persian and Indic words and emoji sequences depend on them.
 */
const STRAY_JOINERS =
  /(?<![\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]/gv
/** A quick test that avoids needless replacements, because most texts need no change. */
const UNUSUAL = /[[\p{Cc}\p{DI}]--[\t\n\r]]/v

/**
 * Sanitizes text for storage: removes control characters, terminal sequences, direction marks and invisible characters.
 */
export function withoutControls(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return stripVTControlCharacters(text)
    .replace(SEPARATORS, ' ')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINERS, '')
}

/** Applies `withoutControls` to every string in a JSON value. Keys are unchanged. */
export function valuesWithoutControls<Value>(value: Value): Value {
  if (typeof value === 'string') return withoutControls(value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(valuesWithoutControls) as Value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, valuesWithoutControls(inner)])) as Value
}

/**
 * Sanitizes text for printing, so that it cannot move the cursor, change colors or reorder the line. Keeps tabs and
 * line feeds.
 */
export const printable = (text: string): string =>
  UNUSUAL.test(text) || text.includes('\r')
    ? stripVTControlCharacters(text).replace(/[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv, '')
    : text

/** Sanitizes JSON for printing by escaping the characters that `printable` removes. */
export const printableJson = (json: string): string =>
  json.replace(/[\x7f-\x9f\p{Bidi_Control}]/gv, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Sanitizes a JSON log line, so that it contains no control characters even in viewers that unescape its values. */
export const printableLogLine = (line: string): string =>
  line
    .replace(/[\x7f-\x9f\p{Bidi_Control}]/gv, '')
    .replace(/\\(?:u00[01][\da-f]|r|b|f|.)/gi, (pair) => (/^\\(?:u00|[rbf])/i.test(pair) ? '' : pair))
