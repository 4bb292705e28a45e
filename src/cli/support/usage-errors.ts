import type { Argv } from 'yargs'
import { AppError } from '../../lib/errors.ts'
import { EXIT } from './exit-codes.ts'

type Told = Error | string | null | undefined

/** What is wrong with a command line is told once, however many rules it breaks, with the help of the command that it named. */
export function createUsageErrors() {
  const messages: string[] = []
  let help: (() => void) | undefined
  return {
    /** For `yargs.fail`. A fault of a program is no fault of the command line, and goes on. */
    note(message: string | null | undefined, error: Told, parser: Pick<Argv, 'showHelp'>): void {
      if (error instanceof Error && !(error instanceof AppError) && error.name !== 'YError') throw error
      const text = message || (error instanceof Error ? error.message : (error ?? ''))
      if (!messages.includes(text)) messages.push(text)
      // A value that is wrong says all in its sentence.
      if (!(error instanceof AppError)) help = () => void parser.showHelp('error')
    },
    tell(): void {
      if (messages.length === 0) return
      process.stderr.write(`talhouse: ${messages.join(' ')}\n`)
      if (help) process.stderr.write('\n')
      help?.()
      process.exitCode = EXIT.usage
    },
  }
}
