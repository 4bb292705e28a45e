/** Formats a count with its noun: `1 company`, `2 companies`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
