import type { ErrorCode } from '../../lib/errors.ts'

/** Exit codes, documented in docs/operations.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** Invalid command line or input file. */
  usage: 2,
  /** Invalid configuration or environment. */
  configuration: 3,
  /** Incomplete: rows were quarantined, completeness was not verified, or a limit was reached. */
  degraded: 4,
  notFound: 5,
  insufficientUnits: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_OF_ERROR: Record<ErrorCode, ExitCode> = {
  invalid_request: EXIT.usage,
  unprocessable: EXIT.usage,
  bad_input: EXIT.usage,
  configuration: EXIT.configuration,
  unauthenticated: EXIT.configuration,
  trial_expired: EXIT.configuration,
  missing_scope: EXIT.configuration,
  cross_site: EXIT.configuration,
  insufficient_units: EXIT.insufficientUnits,
  not_found: EXIT.notFound,
  incomplete: EXIT.degraded,
  interrupted: EXIT.interrupted,
  conflict: EXIT.failed,
  rate_limited: EXIT.failed,
  upstream_failed: EXIT.failed,
  unavailable: EXIT.failed,
}
