import { AppError } from '../../../lib/errors.ts'
import type { NotFetched } from '../../fetching/fetched.ts'
import { readFindings } from './read-findings.ts'
import { readLinks } from './read-links.ts'
import { readSitemap } from './read-sitemap.ts'

/** All that is read from pages: functions of plain data alone, so that they can run in any process. */
const READINGS = { readLinks, readSitemap, readFindings }

type Readings = typeof READINGS
type Name = keyof Readings
type Input<Of extends Name> = Parameters<Readings[Of]>[0]
type Output<Of extends Name> = ReturnType<Readings[Of]>

/**
 * Reads by name. Throws `unprocessable` for pages that take more memory than is allowed, `unavailable` for those that take more time, and the
 * signal's reason when that aborts.
 */
export type ReadPages = <Of extends Name>(name: Of, input: Input<Of>, signal: AbortSignal) => Promise<Output<Of>>

/** A reading as it is handed to a process. */
export interface ReadingTask {
  name: Name
  input: Input<Name>
}

export function runReading({ name, input }: ReadingTask): Output<Name> {
  const read = READINGS[name] as (input: Input<Name>) => Output<Name>
  return read(input)
}

/** Reads in this process, and knows no limits: for tests. */
export const readPagesHere: ReadPages = async <Of extends Name>(name: Of, input: Input<Of>, signal: AbortSignal) => {
  signal.throwIfAborted()
  return runReading({ name, input }) as Output<Of>
}

/** What was read; a page that takes too much to be read is told like one that could not be fetched. */
export async function outcomeOfReading<Read>(url: string, reading: Promise<Read>): Promise<Read | NotFetched> {
  return await reading.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    return { outcome: error.code === 'unprocessable' ? 'refused' : 'unavailable', url, reason: error.message }
  })
}
