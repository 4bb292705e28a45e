import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** Pretty-printed log for terminals, with warnings and errors only. */
export const terminalStream = (): DestinationStream =>
  pretty({ destination: 2, sync: true, minimumLevel: 'warn', ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
