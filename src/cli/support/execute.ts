import type { Environment } from '../../config/environment.ts'
import { loadConfig } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import type { Log } from '../../lib/logger.ts'
import { createLogger } from '../../lib/logger.ts'
import type { SignalTarget } from './abort-on-signals.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import type { Definition, Handler } from './definition.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT } from './exit-codes.ts'
import { createOutput } from './output.ts'
import { reportError } from './report-error.ts'

type CommandStream = NodeJS.WritableStream & {
  readonly columns?: number
  readonly isTTY?: boolean
  readonly fd?: number
}

/** The subset of `process` that a command line uses. */
export interface CommandProcess extends SignalTarget {
  readonly env: Environment
  readonly stdout: CommandStream
  readonly stderr: CommandStream
}

/** Runs a command's handler. */
export async function execute<Arguments extends { json?: boolean }>(
  { createsDatabases }: Definition,
  handler: Handler<Arguments>,
  args: Arguments,
  process: CommandProcess,
  outputClosed: AbortSignal,
): Promise<ExitCode> {
  const json = args.json ?? false
  const out = createOutput(json, process.stdout, process.stderr)
  const signal = AbortSignal.any([abortOnSignals(process), outputClosed])
  try {
    const config = loadConfig(process.env)
    const log = await openLog(config, process)
    await using _tracing = config.tracing.otlp_url === '' ? undefined : await openTracing(config)
    return (await handler({ config, log, signal, out, createsDatabases, json }, args)) ?? EXIT.done
  } catch (error) {
    const code = outputClosed.aborted ? EXIT.interrupted : reportError(error, json, process.stderr)
    return signal.aborted ? EXIT.interrupted : code
  }
}

/** Imports the tracing module on demand, because tracing is off by default. */
async function openTracing(config: Config): Promise<AsyncDisposable> {
  const { startTracing } = await import('./tracing.ts')
  return await startTracing({ config })
}

/**
 * Pretty-prints the log on a terminal. The formatter is imported only for terminals, because the import would slow down
 * scheduled runs.
 */
async function openLog({ log: { level } }: Config, { stderr }: CommandProcess): Promise<Log> {
  if (!stderr.isTTY) return createLogger(level, stderr.fd === undefined ? stderr : undefined)
  const { terminalStream } = await import('../../lib/terminal-stream.ts')
  return createLogger(level, terminalStream())
}
