import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'

export type Log = Logger

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** No key, e-mail address or query text belongs in a log: these paths are blanked wherever an object carries them. */
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

/** One JSON line an event on stderr, so that stdout stays for what a command prints. */
export function createLogger(level: LogLevel, destination: DestinationStream = pino.destination(2)): Log {
  return pino({ level, base: null, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

export const silentLog: Log = pino({ level: 'silent' })
