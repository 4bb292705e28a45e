import { packageVersion } from '../../lib/package-version.ts'
import { COMMANDS } from '../command-line.ts'
import { abortOnClosedPipe } from './closed-pipe.ts'
import type { CommandProcess } from './execute.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT } from './exit-codes.ts'
import { SHELLS } from './parameters.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { reportError } from './report-error.ts'

/** Maximum width of help texts, in columns. */
const WIDEST = 110

/** Runs a command line, given as words without `talhouse`. Prints errors to stderr. */
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
        const { definition, args } = request
        const shell = SHELLS.find((name) => name === args['for'])
        if (definition.name === 'completion' && shell) {
          const { completionScript } = await import('./completion-script.ts')
          stdout.write(`${completionScript(COMMANDS, shell)}\n`)
          return EXIT.done
        }
        const [{ execute }, handler] = await Promise.all([import('./execute.ts'), definition.load()])
        return await execute(definition, handler, args as never, process, outputClosed)
      }
    }
  } catch (error) {
    return reportError(error, words.includes('--json'), stderr)
  }
}
