/**
 * The error codes. Other modules add codes by declaration merging. The HTTP layer maps codes to statuses, and the CLI
 * maps codes to exit codes.
 */
export interface ErrorCodes {
  /** The request cannot be parsed. */
  invalid_request: true
  unauthenticated: true
  not_found: true
  conflict: true
  /** The request can be parsed but violates a rule. */
  unprocessable: true
  rate_limited: true
  /** Another system failed or returned an invalid response. */
  upstream_failed: true
  /** A local dependency is down, or the process is stopping. */
  unavailable: true
  /** A setting or the host is misconfigured and must be fixed by the operator. */
  configuration: true
  /** An input file cannot be read. */
  bad_input: true
  /** The work ended, but its completeness could not be verified. */
  incomplete: true
  interrupted: true
}

export type ErrorCode = keyof ErrorCodes

/** An invalid value. `path` is a JSON pointer, or the name of a parameter or setting. */
export interface Issue {
  path: string
  message: string
}

export interface AppErrorOptions {
  cause?: unknown
  /** True if a retry may succeed. @default false */
  retryable?: boolean
  /** Seconds to wait before retrying. */
  retryAfter?: number
  issues?: Issue[]
}

/** An expected error. `message` explains the error and how to fix it, and is safe to show to the caller. */
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

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Returns the system error code (`ENOSPC`, `EADDRINUSE`, ...) or the SQLSTATE of an error or its cause. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? systemCode(error.cause) : undefined
}
