import { readWordSet } from '../../vocabulary/read-words.ts'

/** A given name supports reading a text as a person's name; its absence proves nothing. Lower case, without accents. */
export const GIVEN_NAMES = readWordSet('names/given')

/** Forms of address, lower case and without dots. Several may follow each other (`Prof. Dr. med.`). */
export const HONORIFICS = readWordSet('names/honorifics')

/** Forms of address that are also names: `Phil Doe`, `Gene Doe`. They count with a dot, or after another form of address. */
export const HONORIFICS_ALSO_NAMES = readWordSet('names/honorifics-also-names')

/** Abbreviated given names: `Ma. Teresa`, `Md. Alam`, `Wm. Doe`. */
export const SHORT_NAMES = readWordSet('names/short-forms')

/** Generational suffixes, lower case and without dots. */
export const SUFFIXES = readWordSet('names/suffixes')

/** Letters after a name, lower case and without dots. `®` and `™` are removed before the comparison. */
export const CREDENTIALS = readWordSet('names/credentials')

/** Words that belong to the family name that follows them, lower case. */
export const PARTICLES = readWordSet('names/particles')

/** Particles that stay lower case when a name in capitals is made readable; the others are capitalised, as in most US names. */
export const LOWER_PARTICLES = readWordSet('names/lower-case-particles')
