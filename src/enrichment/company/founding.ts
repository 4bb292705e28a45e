/** Returns the year in a date such as `1998`, `1998-05-01` or `May 1998`. */
export function yearOfDate(text: string): number | undefined {
  const year = Number(/\b(1[6-9]\d{2}|20\d{2})\b/.exec(text)?.[1])
  return Number.isNaN(year) ? undefined : year
}
