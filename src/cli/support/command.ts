import type { ArgumentsCamelCase } from 'yargs'
import type { Config } from '../../config.ts'
import { loadConfig } from '../../config.ts'
import { AppError, messageOf } from '../../lib/errors.ts'
import type { Log } from '../../lib/logger.ts'
import { createLogger } from '../../lib/logger.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT, EXIT_OF_ERROR } from './exit-codes.ts'
import type { Output } from './output.ts'
import { createOutput } from './output.ts'

/** What every command is given. */
export interface Command {
  config: Config
  log: Log
  /** Aborts on Ctrl-C and SIGTERM. A second Ctrl-C ends the process at once. */
  signal: AbortSignal
  out: Output
  json: boolean
}

/** `--json` is there for every command. */
export interface CommonArguments {
  json?: boolean
}

/** A command's handler: settings, signals, errors and exit codes are the same for all of them. */
export function run<Arguments extends CommonArguments>(
  work: (command: Command, args: ArgumentsCamelCase<Arguments>) => Promise<ExitCode | undefined>,
): (args: ArgumentsCamelCase<Arguments>) => Promise<void> {
  return async (args) => {
    const json = args.json ?? false
    const out = createOutput(json, process.stdout, process.stderr)
    const signal = abortOnSignals()
    try {
      const config = loadConfig()
      const log = await openLog(config)
      const command = { config, log, signal, out, json }
      process.exitCode = (await work(command, args)) ?? EXIT.done
    } catch (error) {
      process.exitCode = report(error, signal, json)
    }
  }
}

/** In words at a terminal, the loading of which a scheduled run is spared. */
async function openLog({ log: { level } }: Config): Promise<Log> {
  if (!process.stderr.isTTY) return createLogger(level)
  const { terminalStream } = await import('../../lib/terminal-stream.ts')
  return createLogger(level, terminalStream())
}

/** Tells what went wrong, in a sentence for a person or as JSON; a stack only for what has no name. */
function report(error: unknown, signal: AbortSignal, json: boolean): ExitCode {
  const known = error instanceof AppError ? error : undefined
  const code = signal.aborted ? EXIT.interrupted : known ? EXIT_OF_ERROR[known.code] : EXIT.failed
  const text = json
    ? JSON.stringify({ error: { code: known?.code ?? 'unexpected', message: messageOf(error), issues: known?.issues } })
    : `talhouse: ${messageOf(error)}${known || !(error instanceof Error) ? '' : `\n${error.stack}`}`
  process.stderr.write(`${text}\n`)
  return code
}
