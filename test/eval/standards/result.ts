/**
 * The result for one example of a standard: facts that the extractor missed, and facts that it extracted but the
 * example does not contain.
 */
export interface CaseResult {
  name: string
  format: string
  right: number
  missing: string[]
  extra: string[]
}

/** Compares the expected facts with the extracted facts. */
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
