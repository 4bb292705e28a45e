/** Marks after the thirtieth on one letter. Normalization sorts marks, in quadratic time. */
const EXCESS_MARKS = /(?<=\p{Mark}{30})\p{Mark}+/gu

/** Removes marks beyond the thirty on one letter that Unicode's stream-safe format (UAX 15) allows. */
export const limitMarks = (text: string): string => text.replace(EXCESS_MARKS, '')

/**
 * Removes accents and other marks, and converts to compatibility form: `Müller` to `Muller`, `ﬁ` to `fi`. Keeps case.
 */
export const foldAccents = (text: string): string =>
  limitMarks(text)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .normalize('NFC')
