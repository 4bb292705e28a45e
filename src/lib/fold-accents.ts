/** Text without accents and other marks, in compatibility form: `Müller` as `Muller`, `ﬁ` as `fi`. Case is kept. */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .normalize('NFC')
