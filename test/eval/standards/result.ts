/** One example of a standard: facts we missed, and facts we read that it does not contain. */
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
