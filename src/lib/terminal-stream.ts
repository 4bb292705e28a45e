import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** Pretty-prints warnings and errors for terminals; lower log levels are omitted. */
export const terminalStream = (): DestinationStream =>
  pretty({ destination: 2, sync: true, minimumLevel: 'warn', ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
