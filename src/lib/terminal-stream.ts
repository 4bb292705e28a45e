import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** Pretty-prints the log for terminals, with only warnings and errors. */
export const terminalStream = (): DestinationStream =>
  pretty({ destination: 2, sync: true, minimumLevel: 'warn', ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
