/**
 * Removes accents and other marks, and converts to compatibility form: `Müller` to `Muller`, `ﬁ` to `fi`. Keeps case.
 */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .normalize('NFC')
