import type { ServiceTables } from '../db/database.ts'
import type { ImportReport, MergeOptions } from '../firms/merge-roster.ts'
import { mergeRoster } from '../firms/merge-roster.ts'
import { databaseClock } from '../lib/database-clock.ts'
import { AppError } from '../lib/errors.ts'
import { pluralize } from '../lib/pluralize.ts'
import type { Postgres } from '../lib/postgres.ts'
import { isDay } from '../lib/timestamps.ts'
import { parseDate } from './cell-values.ts'
import { inspectBytes } from './inspect-bytes.ts'
import { openRosterBytes } from './open-bytes.ts'
import { recogniseRoster } from './read-roster.ts'

export interface ImportOptions {
  /** Maximum uncompressed size. */
  maxBytes: number
  /** See MergeOptions. */
  maxGoneShare: number
  allowGoneShare?: number | undefined
  /**
   * Date of the roster, YYYY-MM-DD. @default the newest filing date in the file or, if it has no filing dates, the date
   * in the file name
   */
  asOf?: string | undefined
  /** Called before the merge, with the number of bytes read so far and the total number of bytes. */
  onProgress?: ((bytes: number, total: number) => void) | undefined
  onMerge?: MergeOptions['onMerge']
  actor?: MergeOptions['actor']
  signal?: AbortSignal | undefined
}

const DAY_MS = 86_400_000

/**
 * Imports a firm roster of any year (.csv, .txt, or either in a .zip) or the daily IAPD feed (.xml, .xml.gz) in one
 * transaction. Quarantines rejected rows. Throws `bad_input` without importing any rows if the file is invalid.
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
  // Filing dates are in New York time. One extra day covers all time zones.
  const latestDay = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10)
  const firms = roster.firms({
    latestDay,
    onBytes: onProgress && ((taken) => onProgress(taken, bytes.size)),
    signal,
  })
  const { encoding, strayBytes, sha256, endsWithLineBreak } = inspection
  return await mergeRoster(
    postgres,
    {
      file: bytes.file,
      sha256,
      encoding,
      layout: roster.layout.name,
      fields: roster.layout.fields,
      itemHeadings: roster.isFeed ? undefined : roster.layout.headings,
      firms,
      warnings:
        strayBytes === 0
          ? []
          : [
              `${pluralize(strayBytes, 'byte')} of the file ${strayBytes === 1 ? 'is' : 'are'} not UTF-8 and ${strayBytes === 1 ? 'was' : 'were'} read as Windows-1252`,
            ],
      day: checkedDay(options.asOf, latestDay),
      dayWithoutDates: dayInName(bytes.file) ?? dayInName(bytes.name),
      incompleteReason:
        roster.isFeed || endsWithLineBreak ? null : 'the last line is not terminated, so the file may be truncated',
      startedAt: now.toISOString(),
    },
    {
      maxGoneShare: options.maxGoneShare,
      allowGoneShare: options.allowGoneShare,
      actor: options.actor,
      onMerge,
      signal,
    },
  )
}

function checkedDay(asOf: string | undefined, latestDay: string): string | undefined {
  if (asOf === undefined) return undefined
  if (!isDay(asOf)) throw new AppError('invalid_request', `--as-of must be a date such as 2026-01-31, not ${asOf}.`)
  if (asOf > latestDay)
    throw new AppError(
      'invalid_request',
      `--as-of ${asOf} is in the future. With this date, earlier rosters could no longer be imported.`,
    )
  return asOf
}

/** Parses the date in a file name: 5 June 2006 from `ia060506.zip`, 3 August 2026 from `ia08032026-exempt.zip`. */
function dayInName(file: string): string | undefined {
  const [, month, day, year] = /(?:^|[^\d])(\d\d)(\d\d)(20\d\d|\d\d)(?!\d)/.exec(file) ?? []
  if (!year) return undefined
  try {
    return parseDate(`${month}/${day}/${year.length === 2 ? `20${year}` : year}`) ?? undefined
  } catch {
    return undefined
  }
}
