/** One example of a standard, read: what it says that we did not read, and what we read that it does not say. */
export interface CaseResult {
  name: string
  format: string
  right: number
  missing: string[]
  extra: string[]
}

/** Compares the facts of two readings. */
export function compare(
  name: string,
  format: string,
  expected: ReadonlySet<string>,
  found: ReadonlySet<string>,
): CaseResult {
  const missing = [...expected].filter((fact) => !found.has(fact))
  return {
    name,
    format,
    right: expected.size - missing.length,
    missing,
    extra: [...found].filter((fact) => !expected.has(fact)),
  }
}
