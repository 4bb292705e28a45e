/** Scripts without capital letters and with spaces between words. */
const CASELESS_SCRIPTS = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Georgian}\p{Script=Ethiopic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}\p{Script=Sinhala}`

/** Matches a letter of these scripts. */
export const CASELESS = new RegExp(`[${CASELESS_SCRIPTS}]`, 'u')

/** The first letter of a name of a place. */
export const FIRST = String.raw`(?:\p{Lu}|(?=\p{L})[${CASELESS_SCRIPTS}])`

/** A capitalized word. A full stop after more than three letters ends a sentence. */
export const WORD = String.raw`(?:${FIRST}[\p{L}\p{M}]{0,2}\.|${FIRST}(?:[\p{L}\p{M}’'-]|\.(?=\p{L}))*)`

/** The name of a city: one or several capitalized words. */
export const CITY = String.raw`${WORD}(?:[\s/](?:\p{L}{1,5}\s){0,2}(?:${WORD}|(?<!\.\s)\d{1,2}(?=$|\s(?!\d))))*`

/** Any words are a city in a script without capital letters, so only short ones are accepted. */
export const MAX_CASELESS_WORDS = 3

const WHOLE_CITY = new RegExp(`^${CITY}$`, 'u')

/** Returns whether a text can be the name of a city. */
export const isCityName = (text: string): boolean =>
  WHOLE_CITY.test(text) && !(CASELESS.test(text) && text.split(' ').length > MAX_CASELESS_WORDS)

/** City states. */
export const CITY_STATES = new Set(['GI', 'HK', 'MC', 'MO', 'SG', 'SM'])

/** Countries that share their name with a city. */
export const CITY_COUNTRIES = new Set([...CITY_STATES, 'KW', 'LU', 'PA'])
