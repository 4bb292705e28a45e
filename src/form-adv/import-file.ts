import type { ServiceTables } from '../db/database.ts'
import type { ImportReport } from '../firms/merge-roster.ts'
import { mergeRoster } from '../firms/merge-roster.ts'
import { databaseClock } from '../lib/database-clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Postgres } from '../lib/postgres.ts'
import { isDay } from '../lib/timestamps.ts'
import { parseDate } from './cell-values.ts'
import { inspectBytes } from './inspect-bytes.ts'
import { openRosterBytes } from './open-bytes.ts'
import { recogniseRoster } from './read-roster.ts'

export interface ImportOptions {
  /** Unpacked bytes at the most. */
  maxBytes: number
  /** See MergeOptions. */
  maxGoneShare: number
  allowGoneShare?: number | undefined
  /** Day that the roster shows, YYYY-MM-DD. @default the newest filing in it, or without filing dates the date in the file's name */
  asOf?: string | undefined
  /** Told while the file is read; `bytes` of `total`. At the end of it the merge begins. */
  onProgress?: ((bytes: number, total: number) => void) | undefined
  onMerge?: (() => void) | undefined
  signal?: AbortSignal | undefined
}

const DAY_MS = 86_400_000

/**
 * Imports one of the SEC's files: a firm roster of any year (.csv, .txt, or either in a .zip) or the daily IAPD feed (.xml, .xml.gz). All of it
 * or, when anything is wrong with the file as a whole, nothing: then it throws `bad_input` that says why. Rows that are wrong by themselves go to
 * quarantine.
 */
export async function importFirmFile(
  postgres: Postgres<ServiceTables>,
  path: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const { signal, onProgress, onMerge } = options
  const now = await databaseClock(postgres.db).now()
  await using bytes = await openRosterBytes(path, options.maxBytes)
  const inspection = await inspectBytes(bytes, signal)
  const roster = recogniseRoster(bytes, inspection)
  const firms = roster.firms({
    // Filings are dated in New York; a day's grace covers every other clock.
    latestDay: new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10),
    onBytes: onProgress && ((taken) => onProgress(taken, bytes.size)),
    signal,
  })
  const { encoding, sha256, endsWithLineBreak } = inspection
  return await mergeRoster(
    postgres,
    {
      file: bytes.file,
      sha256,
      encoding,
      layout: roster.layout.name,
      fields: roster.layout.fields,
      itemHeadings: roster.isFeed ? undefined : roster.layout.items.map(({ heading }) => heading),
      firms,
      day: checkedDay(options.asOf),
      dayWithoutDates: dayInName(bytes.file) ?? dayInName(bytes.name),
      incompleteReason:
        roster.isFeed || endsWithLineBreak ? null : 'the last line has no end, so the file may be cut off',
      startedAt: now.toISOString(),
    },
    { maxGoneShare: options.maxGoneShare, allowGoneShare: options.allowGoneShare, onMerge, signal },
  )
}

function checkedDay(asOf: string | undefined): string | undefined {
  if (asOf === undefined) return undefined
  if (!isDay(asOf)) throw new AppError('invalid_request', `--as-of ${asOf} is not a day. Write it as YYYY-MM-DD.`)
  return asOf
}

/** `ia060506.zip` shows 5 June 2006, `ia08032026-exempt.zip` 3 August 2026. */
function dayInName(file: string): string | undefined {
  const [, month, day, year] = /(?:^|[^\d])(\d\d)(\d\d)(20\d\d|\d\d)(?!\d)/.exec(file) ?? []
  if (!year) return undefined
  try {
    return parseDate(`${month}/${day}/${year.length === 2 ? `20${year}` : year}`) ?? undefined
  } catch {
    return undefined
  }
}
