import type { Environment } from '../../config/environment.ts'
import { packageVersion } from '../../lib/package-version.ts'
import { COMMANDS } from '../command-line.ts'
import type { SignalTarget } from './abort-on-signals.ts'
import { abortOnClosedPipe } from './closed-pipe.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT } from './exit-codes.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { reportError } from './report-error.ts'

/** Maximum width of help texts, in columns. */
const WIDEST = 110

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

/** Runs the command line of these words, without `talhouse`. Prints errors to stderr. */
export async function runCommandLine(words: readonly string[], process: CommandProcess): Promise<ExitCode> {
  const { stdout, stderr } = process
  const outputClosed = abortOnClosedPipe(stdout, stderr)
  try {
    const request = parseCommandLine(COMMANDS, words)
    switch (request.kind) {
      case 'version': {
        stdout.write(`${packageVersion()}\n`)
        return EXIT.done
      }
      case 'help': {
        const { helpText } = await import('./help-text.ts')
        const stream = request.isMissingCommand ? stderr : stdout
        const width = Math.min(WIDEST, stream.columns || WIDEST)
        stream.write(`${await helpText(COMMANDS, request.path, request.entry, width)}\n`)
        return request.isMissingCommand ? EXIT.usage : EXIT.done
      }
      case 'run': {
        const [{ execute }, handler] = await Promise.all([import('./execute.ts'), request.definition.load()])
        return await execute(handler, request.args as never, process, outputClosed)
      }
    }
  } catch (error) {
    return reportError(error, words.includes('--json'), stderr)
  }
}
