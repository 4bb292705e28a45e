/** Can PostgreSQL hold this text? It refuses NUL, and lone halves of surrogate pairs in JSON. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Of PostgreSQL's `integer`. */
export const MAX_INTEGER = 2 ** 31 - 1

/** A value's JSON as jsonb takes it: each character that cannot be stored becomes U+FFFD, in keys as in values. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(?:u(0000|d[89a-f]..)|.)/gi, (whole, unstorable) => (unstorable ? '\\ufffd' : whole))
