import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { linkFirms } from '../companies/link-firms.ts'
import type { FirmFieldName } from '../contract/firm-fields.ts'
import type { Db, ServiceTables } from '../db/database.ts'
import type { CopyTransaction } from '../lib/copy-rows.ts'
import { copyTransaction } from '../lib/copy-rows.ts'
import { AppError } from '../lib/errors.ts'
import { pluralize } from '../lib/pluralize.ts'
import type { Postgres } from '../lib/postgres.ts'
import { sum } from '../lib/sum.ts'
import type { AppliedCounts } from './apply-staged.ts'
import { applyStaged } from './apply-staged.ts'
import {
  countAnonymous,
  countMissing,
  keepMissing,
  quarantineClaimedNumbers,
  quarantineDuplicates,
  summarizeStaged,
} from './check-staged.ts'
import { advanceDatasetDay, renewDataset } from './firm-dataset.ts'
import { lockImports } from './lock-imports.ts'
import { removeSample } from './remove-sample.ts'
import { stageFirms } from './stage-firms.ts'
import type { StagedFirm } from './staged-firm.ts'

/** A file to merge. */
export interface RosterFile {
  file: string
  /** SHA-256 of the uncompressed roster, in hexadecimal. */
  sha256: string
  layout: string
  encoding: string
  fields: readonly FirmFieldName[]
  /** Headings of the file's items; undefined if they differ between firms. */
  itemHeadings: readonly string[] | undefined
  firms: AsyncIterable<StagedFirm>
  /** Date given by the user, YYYY-MM-DD. @default the newest filing date in the file */
  day: string | undefined
  /** Date used for layouts without filing dates. */
  dayWithoutDates: string | undefined
  /** Warnings about the file's text. */
  warnings: readonly string[]
  /** Reason to suspect that the file is incomplete; null if there is none. */
  incompleteReason: string | null
  startedAt: string
}

export interface MergeOptions {
  /**
   * Maximum share of the current firms of one type that may be missing from a roster, 0 to 1. If more firms are
   * missing, no firm of this type is marked gone.
   */
  maxGoneShare: number
  /** Maximum share confirmed by the user. Overrides `maxGoneShare` and `incompleteReason`. */
  allowGoneShare?: number | undefined
  /** User running the import, for the audit log. */
  actor?: Actor | undefined
  /** Called in the transaction when all rows are staged, before the merge. */
  onMerge?: (() => void | Promise<void>) | undefined
  signal?: AbortSignal | undefined
}

/** Result of an import: new + returned + changed + unchanged + quarantined = rows. */
export interface ImportReport extends AppliedCounts {
  import_id: string
  file: string
  layout: string
  encoding: string
  firm_types: string[]
  as_of: string
  rows: number
  /** Number of missing firms that were not marked gone. `gone_unconfirmed_reason` contains the reason. */
  gone_unconfirmed: number
  gone_unconfirmed_reason: string | null
  /** Warnings about the imported file. */
  warnings: string[]
  quarantined: number
}

/**
 * Imports a roster atomically. Concurrent imports wait for each other. Throws `conflict` if a newer roster with the
 * same firm types has been imported, and `bad_input` if the roster contains no valid firm or has no date.
 */
export async function mergeRoster(
  postgres: Postgres<ServiceTables>,
  roster: RosterFile,
  options: MergeOptions,
): Promise<ImportReport> {
  const report = await copyTransaction(postgres, async (transaction) => {
    const { db } = transaction
    // The service's statement timeout would be too short for large rosters.
    await sql`set local statement_timeout = 0`.execute(db)
    await lockImports(db)
    const seenHeadings = await stageFirms(transaction, roster.firms, options.signal)
    await options.onMerge?.()
    const report = await merge(transaction, roster, seenHeadings, options)
    if (options.actor)
      await recordAudit(db, options.actor, { action: 'firms.import', target: roster.file, details: report })
    return report
  })
  if (report.new + report.returned + report.changed + report.gone > 0) await tidy(postgres.db)
  return report
}

/**
 * Vacuums after the import to enable index-only scans. Errors are ignored, because autovacuum does the same work within
 * minutes.
 */
async function tidy(db: Db): Promise<void> {
  await sql`vacuum (analyze) firm`.execute(db).catch(() => undefined)
}

async function merge(
  { db }: CopyTransaction<ServiceTables>,
  roster: RosterFile,
  seenHeadings: string[],
  options: MergeOptions,
): Promise<ImportReport> {
  await quarantineDuplicates(db)
  const { rows, good, firmTypes, asOf: newest, wrongDates } = await summarizeStaged(db)
  if (good === 0)
    throw new AppError(
      'bad_input',
      `${roster.file}: none of its ${rows} rows is a valid firm. ${await firstReason(db)}`,
    )
  const asOf = roster.day ?? newest ?? roster.dayWithoutDates
  if (!asOf)
    throw new AppError(
      'bad_input',
      `${roster.file} has no filing dates and no date in its name. Give its date with --as-of YYYY-MM-DD.`,
    )
  const importId = randomUUID()
  const base = {
    import_id: importId,
    file: roster.file,
    layout: roster.layout,
    encoding: roster.encoding,
    firm_types: firmTypes,
    as_of: asOf,
    rows,
    warnings: [...roster.warnings, ...(roster.day === undefined ? wrongDateWarnings(wrongDates, asOf) : [])],
  }
  const quarantined = async () => ({ quarantined: await keepQuarantined(db, importId, roster) })
  await removeSample(db, roster.file)
  if (await isOlder(db, roster, firmTypes, asOf)) {
    const nothing = {
      new: 0,
      returned: 0,
      changed: 0,
      unchanged: good,
      gone: 0,
      gone_unconfirmed: 0,
      gone_unconfirmed_reason: null,
    }
    return await logged(db, roster, { ...base, ...nothing, quarantined: rows - good })
  }
  const held = await holdGone(db, roster, firmTypes, options)
  await quarantineClaimedNumbers(db)
  const itemHeadings = roster.itemHeadings ?? seenHeadings
  const counts = await applyStaged(db, { importId, asOf, fields: roster.fields, itemHeadings })
  const report = { ...base, ...counts, ...held, ...(await quarantined()) }
  if (counts.new + counts.returned + counts.changed + counts.gone > 0) await renewDataset(db)
  await advanceDatasetDay(db, asOf)
  await linkFirms(db)
  return await logged(db, roster, report)
}

const wrongDateWarnings = (count: number, asOf: string): string[] =>
  count === 0
    ? []
    : [
        `${pluralize(count, 'filing date')} ${count === 1 ? 'is' : 'are'} much later than all others and ${count === 1 ? 'was' : 'were'} ignored when the date of the roster was determined (${asOf}). Use --as-of to set the date`,
      ]

async function firstReason(db: Db): Promise<string> {
  const { rows } = await sql<{
    line: number
    reason: string
  }>`select line, reason from firm_stage order by line limit 1`.execute(db)
  return rows[0] ? `Line ${rows[0].line}: ${rows[0].reason}.` : ''
}

/**
 * Returns whether the roster is older than an imported roster with the same firm types. Throws `conflict` if the roster
 * is older and was never imported.
 */
async function isOlder(db: Db, roster: RosterFile, firmTypes: string[], asOf: string): Promise<boolean> {
  const { rows } = await sql<{ newest: string | null; known: boolean }>`
    select max(as_of) filter (where firm_types && ${firmTypes}::text[]) as newest, coalesce(bool_or(sha256 = ${roster.sha256}), false) as known
    from firm_import`.execute(db)
  const { newest, known } = rows[0] ?? { newest: null, known: false }
  if (newest === null || asOf >= newest) return false
  if (known) return true
  throw new AppError(
    'conflict',
    `${roster.file} is dated ${asOf}, older than the imported roster of ${newest}. Import rosters in date order.`,
  )
}

/**
 * Exempts missing firms from being marked gone if the roster may be incomplete. Returns the number of exempted firms
 * and the reason.
 */
async function holdGone(
  db: Db,
  { incompleteReason }: RosterFile,
  firmTypes: string[],
  { maxGoneShare, allowGoneShare }: MergeOptions,
): Promise<{ gone_unconfirmed: number; gone_unconfirmed_reason: string | null }> {
  const missing = (await countMissing(db, firmTypes)).filter((type) => type.missing > 0)
  const anonymous = allowGoneShare === undefined ? await countAnonymous(db) : 0
  const limit = allowGoneShare ?? maxGoneShare
  const reasons = missing.map(({ firmType, missing, present }) => {
    if (missing > limit * present)
      return `${missing} of ${present} ${firmType} firms are missing, more than the limit of ${+(limit * 100).toFixed(2)} %`
    if (incompleteReason && allowGoneShare === undefined) return incompleteReason
    return anonymous > 0 ? `${anonymous} quarantined row(s) have no CRD or SEC number` : null
  })
  const held = missing.filter((_, index) => reasons[index] !== null)
  await keepMissing(
    db,
    held.map(({ firmType }) => firmType),
  )
  return {
    gone_unconfirmed: sum(held.map(({ missing }) => missing)),
    gone_unconfirmed_reason: [...new Set(reasons.filter((reason) => reason !== null))].join('; ') || null,
  }
}

/**
 * Stores quarantined rows, unless a file with the same content was imported before. Returns the number of quarantined
 * rows.
 */
async function keepQuarantined(db: Db, importId: string, { file, sha256 }: RosterFile): Promise<number> {
  await sql`
    insert into firm_quarantine (import_id, line, file, reason, row)
    select ${importId}::uuid, line, ${file}::text, reason, coalesce(row, '{}') from firm_stage
    where reason is not null and not exists (select from firm_import where sha256 = ${sha256})`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from firm_stage where reason is not null`.execute(db)
  return rows[0]?.count ?? 0
}

async function logged(db: Db, roster: RosterFile, report: ImportReport): Promise<ImportReport> {
  const { import_id: id, gone_unconfirmed_reason: _, warnings: __, ...row } = report
  await db
    .insertInto('firm_import')
    .values({ id, ...row, sha256: roster.sha256, started_at: roster.startedAt })
    .execute()
  return report
}
