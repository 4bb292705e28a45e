/** Every failure talhouse can name. The HTTP edge maps a code to a status, the CLI to an exit code. */
export type ErrorCode =
  | 'invalid_request' // what was asked for does not parse
  | 'unauthenticated'
  | 'insufficient_units'
  | 'trial_expired'
  | 'not_found'
  | 'conflict'
  | 'unprocessable' // it parses, and breaks a rule
  | 'rate_limited'
  | 'upstream_failed' // another system answered wrongly or not at all
  | 'unavailable' // ours: the database is away, the process is stopping
  | 'configuration' // a setting or the machine is wrong; a person has to act
  | 'bad_input' // a file that cannot be taken in
  | 'incomplete' // work ended without proof that all of it was done
  | 'interrupted'

/** One thing wrong with an input, at a JSON pointer or setting name. */
export interface Issue {
  path: string
  message: string
}

export interface AppErrorOptions {
  cause?: unknown
  /** May the same call succeed later without a change? */
  retryable?: boolean
  /** Seconds to wait before trying again, when known. */
  retryAfter?: number
  issues?: Issue[]
}

/** A failure with a name. `message` says what is wrong and what to do; it may be shown to the caller as it is. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly retryAfter: number | undefined
  readonly issues: Issue[] | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.retryAfter = options.retryAfter
    this.issues = options.issues
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The system's error code (`ENOSPC`, `EADDRINUSE`, ...) or PostgreSQL's SQLSTATE, if there is one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? systemCode(error.cause) : undefined
}
