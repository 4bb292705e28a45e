/** Reports whether PostgreSQL can store the text. PostgreSQL rejects NUL and, in JSON, unpaired surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Maximum value of PostgreSQL's `integer`. */
export const MAX_INTEGER = 2 ** 31 - 1

/** Serializes a value for a jsonb column. Replaces unsupported characters in keys and values with U+FFFD. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(?:u(0000|d[89a-f]..)|.)/gi, (whole, unstorable) => (unstorable ? '\\ufffd' : whole))
