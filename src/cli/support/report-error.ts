import { asAppError } from '../../../pipelines/host/app-error.ts'
import { printable, printableJson } from '../../lib/control-characters.ts'
import { AppError, messageOf } from '../../lib/errors.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT, EXIT_OF_ERROR } from './exit-codes.ts'

/**
 * Prints an error to stderr as a sentence or as JSON, and returns the exit code. Prints the stack only for unexpected
 * errors.
 */
export function reportError(thrown: unknown, json: boolean, stderr: NodeJS.WritableStream): ExitCode {
  const error = asAppError(thrown)
  const known = error instanceof AppError ? error : undefined
  const text = json
    ? printableJson(
        JSON.stringify({
          error: { code: known?.code ?? 'unexpected', message: messageOf(error), issues: known?.issues },
        }),
      )
    : `talhouse: ${messageOf(error)}${known || !(error instanceof Error) ? '' : `\n${error.stack}`}`
  stderr.write(`${printable(text)}\n`)
  return known ? EXIT_OF_ERROR[known.code] : EXIT.failed
}
