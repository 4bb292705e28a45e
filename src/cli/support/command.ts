import type { Config } from '../../config/schema.ts'
import type { Log } from '../../lib/logger.ts'
import type { Output } from './output.ts'

/** The context of a running command. */
export interface Command {
  config: Config
  log: Log
  /** Aborts on Ctrl-C and SIGTERM. A second Ctrl-C ends the process immediately. */
  signal: AbortSignal
  out: Output
  /** True if the command may create the embedded server's databases. */
  createsDatabases: boolean
  json: boolean
}
