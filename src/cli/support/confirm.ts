import { createInterface } from 'node:readline/promises'
import { AppError } from '../../lib/errors.ts'

/** Throws `invalid_request` if there is no terminal on which to ask for confirmation. */
export function requireTerminal(): void {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new AppError('invalid_request', 'Confirmation requires a terminal. Add --yes.')
}

/** Asks for confirmation on the terminal. Throws `interrupted` for any answer other than `yes`. */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  requireTerminal()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} Type yes to confirm: `, { signal })
    if (answer.trim().toLowerCase() !== 'yes') throw new AppError('interrupted', 'Not confirmed; nothing was changed.')
  } finally {
    terminal.close()
  }
}
