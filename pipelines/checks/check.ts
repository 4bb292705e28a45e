export interface Check {
  name: string
  description: string
  /** A query that returns one row per violation. */
  sql: string
  /**
   * `check` is an invariant of talhouse, and `expectation` comes from the settings. `note` reports facts and never fails.
   */
  kind: 'check' | 'expectation' | 'note'
}

export interface CheckResult extends Omit<Check, 'sql'> {
  failures: number
  examples: Record<string, unknown>[]
  /** Error message of the query. Null if the query succeeded. */
  error: string | null
  seconds: number
  checked_at: string
}

export const isFailed = ({ kind, failures, error }: CheckResult): boolean =>
  error !== null || (kind !== 'note' && failures > 0)
