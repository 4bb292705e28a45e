import type { ErrorCode } from '../../lib/errors.ts'

/** What a script can tell from the exit code. Documented in docs/operations.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** The command line or an input file is wrong. */
  usage: 2,
  /** A setting or the machine is wrong: a person has to act. */
  configuration: 3,
  /** Done in part: rows were quarantined, completeness was not proved, or a limit held something back. */
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
  insufficient_units: EXIT.insufficientUnits,
  not_found: EXIT.notFound,
  incomplete: EXIT.degraded,
  interrupted: EXIT.interrupted,
  conflict: EXIT.failed,
  rate_limited: EXIT.failed,
  upstream_failed: EXIT.failed,
  unavailable: EXIT.failed,
}
