import { COMMANDS } from './command-line.ts'
import { abortOnClosedPipe } from './support/closed-pipe.ts'
import { EXIT } from './support/exit-codes.ts'
import { packageVersion } from './support/package-version.ts'
import { parseCommandLine } from './support/parse-command-line.ts'
import { reportError } from './support/report-error.ts'

/** Maximum width of help texts, in columns. */
const WIDEST = 110

// Makes snapshots, logs and the data folder readable only by their owner.
process.umask(0o077)

const words = process.argv.slice(2)
const outputClosed = abortOnClosedPipe(process.stdout, process.stderr)
try {
  const request = parseCommandLine(COMMANDS, words)
  switch (request.kind) {
    case 'version': {
      process.stdout.write(`${packageVersion()}\n`)
      break
    }
    case 'help': {
      const { helpText } = await import('./support/help-text.ts')
      const stream = request.isMissingCommand ? process.stderr : process.stdout
      const width = Math.min(WIDEST, stream.columns || WIDEST)
      stream.write(`${await helpText(COMMANDS, request.path, request.entry, width)}\n`)
      process.exitCode = request.isMissingCommand ? EXIT.usage : EXIT.done
      break
    }
    case 'run': {
      const [{ execute }, handler] = await Promise.all([import('./support/execute.ts'), request.definition.load()])
      await execute(handler, request.args as never, outputClosed)
    }
  }
} catch (error) {
  process.exitCode = reportError(error, words.includes('--json'))
}
