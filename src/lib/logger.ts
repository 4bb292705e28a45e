import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'
import { printableLogLine } from './control-characters.ts'

export type Log = Logger

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Paths of API keys, secrets and email addresses, which must not be logged. */
const REDACTED = [
  'headers["x-api-key"]',
  '*.headers["x-api-key"]',
  'apiKey',
  '*.apiKey',
  'secret',
  '*.secret',
  'email',
  '*.email',
]

/** Logs JSON lines to stderr, because stdout is reserved for command output. */
export function createLogger(level: LogLevel, destination: DestinationStream = pino.destination(2)): Log {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino(
    {
      level,
      base: null,
      redact: REDACTED,
      serializers: { err: describeError },
      timestamp,
      hooks: { streamWrite: printableLogLine },
    },
    destination,
  )
}

/**
 * Serializes an error. PostgreSQL's messages contain values (`Key (email)=(...) already exists`), so only fields that
 * identify the error are logged.
 */
function describeError(error: unknown): object {
  const cause = error instanceof Error && error.cause !== undefined ? { cause: describeError(error.cause) } : {}
  if (!isFromPostgres(error)) {
    if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
    return { type: error.name, message: error.message, stack: error.stack, ...cause }
  }
  const { name, code, severity, schema, table, column, constraint, stack } = error
  const frames = stack?.slice(stack.indexOf('\n    at ') + 1)
  return { type: name, code, severity, schema, table, column, constraint, stack: frames }
}

type PostgresError = Error &
  Record<'code' | 'severity' | 'schema' | 'table' | 'column' | 'constraint', string | undefined>

function isFromPostgres(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error
}

export const silentLog: Log = pino({ level: 'silent' })
