import { AppError } from '../../../lib/errors.ts'
import type { NotFetched } from '../../fetching/fetched.ts'
import { readFindings } from './read-findings.ts'
import { readLinks } from './read-links.ts'
import { readSitemap } from './read-sitemap.ts'

/**
 * The functions that read pages ("readings"). Readings are pure functions of plain data, so that they can run in
 * another process.
 */
const READINGS = { readLinks, readSitemap, readFindings }

type Readings = typeof READINGS
type Name = keyof Readings
type Input<Of extends Name> = Parameters<Readings[Of]>[0]
type Output<Of extends Name> = ReturnType<Readings[Of]>

/**
 * Runs the reading with this name. Throws `unprocessable` if the reading exceeds the memory limit, `unavailable` if it
 * exceeds the time limit, and the signal's reason if the signal is aborted.
 */
export type ReadPages = <Of extends Name>(name: Of, input: Input<Of>, signal: AbortSignal) => Promise<Output<Of>>

/** The name and the input of a reading, as sent to a child process. */
export interface ReadingTask {
  name: Name
  input: Input<Name>
}

export function runReading({ name, input }: ReadingTask): Output<Name> {
  const read = READINGS[name] as (input: Input<Name>) => Output<Name>
  return read(input)
}

/** Reads pages in this process, without time or memory limits. For tests. */
export const readPagesHere: ReadPages = async <Of extends Name>(name: Of, input: Input<Of>, signal: AbortSignal) => {
  signal.throwIfAborted()
  return runReading({ name, input }) as Output<Of>
}

/** Converts the error from a reading that exceeded a limit into an outcome for the page. */
export async function outcomeOfReading<Read>(url: string, reading: Promise<Read>): Promise<Read | NotFetched> {
  return await reading.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    return { outcome: error.code === 'unprocessable' ? 'refused' : 'unavailable', url, reason: error.message }
  })
}
