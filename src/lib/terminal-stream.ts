import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** For a person at a terminal: in words and colours, and only what a person should know. */
export const terminalStream = (): DestinationStream =>
  pretty({ destination: 2, sync: true, minimumLevel: 'warn', ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
