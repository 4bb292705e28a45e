import { readWordSet } from '../../vocabulary/read-words.ts'

/**
 * Given names, in lower case without accents. A listed word suggests that a text is a name, but an unlisted word does
 * not suggest the opposite.
 */
export const GIVEN_NAMES = readWordSet('names/given')

/** Honorifics, in lower case without dots. A name can have several honorifics, such as `Prof` and `Dr`. */
export const HONORIFICS = readWordSet('names/honorifics')

/**
 * Honorifics that are also names (`Phil Doe`, `Gene Doe`). These words count as honorifics only with a dot or after
 * another honorific.
 */
export const HONORIFICS_ALSO_NAMES = readWordSet('names/honorifics-also-names')

/** Abbreviated given names, such as `Wm` for `William`. */
export const SHORT_NAMES = readWordSet('names/short-forms')

/** Generational suffixes, in lower case without dots. */
export const SUFFIXES = readWordSet('names/suffixes')

/** Credentials after a name, in lower case without dots. `®` and `™` are removed before the comparison. */
export const CREDENTIALS = readWordSet('names/credentials')

/** Lower-case words that belong to the family name that follows. */
export const PARTICLES = readWordSet('names/particles')

/**
 * Particles that become lower case when a name in capitals is converted. Other particles are capitalized, as in most US
 * names.
 */
export const LOWER_PARTICLES = readWordSet('names/lower-case-particles')

/** Two-character Chinese and Korean family names. All other family names are assumed to have one character. */
export const COMPOUND_FAMILY_NAMES = readWordSet('names/compound-family-names')
