import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db, ServiceTables } from '../db/database.ts'
import { OFFICERS_FIELD } from '../db/firm-tables.ts'
import type { CopyCell } from '../lib/copy-rows.ts'
import { copyRows, copyTransaction } from '../lib/copy-rows.ts'
import type { Postgres } from '../lib/postgres.ts'
import { ERASED } from '../personal-data/matcher.ts'
import { fromFiledOrder } from '../personal-data/name-key.ts'
import { areSuppressed } from '../persons/suppression-list.ts'
import { openFilingZip } from './filing-zip.ts'
import type { Filing, ScheduleRow, Skipped } from './schedule-ab.ts'
import { readFilings, readScheduleRows } from './schedule-ab.ts'

export interface ScheduleImportOptions {
  /** Maximum uncompressed size of a file in the zip. */
  maxBytes: number
  /** Whether the names of erased people are kept in the schedules or removed. @default drop */
  formAdvNames?: 'keep' | 'drop'
  /** User running the import, for the audit log. */
  actor?: Actor | undefined
  signal?: AbortSignal | undefined
}

export interface ScheduleImportReport {
  file: string
  /** Number of firms with a filing in the file. */
  firms: number
  /** Number of firms whose owners were replaced from this file. */
  firms_renewed: number
  /**
   * Number of stored owners and officers. `persons` is the number of natural persons among these owners and officers.
   */
  owners: number
  persons: number
  /** Number of lines skipped because the firm has a newer filing. */
  superseded: number
  /** Number of unreadable lines. */
  broken: number
}

const COLUMNS = [
  'schedule',
  'full_legal_name',
  'owner_type',
  'entity_in_which',
  'title',
  'status_acquired',
  'ownership_code',
  'control_person',
  'public_reporting',
  'owner_id',
] as const

/**
 * Imports Schedules A and B from a zip of filing data in one transaction. Importing the same zip again has no effect.
 * Zips can be imported in any order, because a firm's owners come from its newest filing with a schedule (by submission
 * time, then FilingID). Throws `bad_input` for other files.
 */
export async function importScheduleFile(
  postgres: Postgres<ServiceTables>,
  path: string,
  { maxBytes, formAdvNames = 'drop', actor, signal }: ScheduleImportOptions,
): Promise<ScheduleImportReport> {
  await using zip = await openFilingZip(path, maxBytes)
  const skipped: Skipped = { broken: 0 }
  const filings = new Map<number, Filing>()
  for await (const filing of readFilings(zip, skipped, signal)) filings.set(filing.filing_id, filing)
  return await copyTransaction(postgres, async ({ client, db }) => {
    await sql`select pg_advisory_xact_lock(hashtext('talhouse schedule import'))`.execute(db)
    await sql`
      create temporary table owner_stage (
        line integer not null, crd_number integer not null, filing_id bigint not null, submitted_at timestamp not null,
        schedule text, full_legal_name text, owner_type text, entity_in_which text, title text, status_acquired text,
        ownership_code text, control_person boolean, public_reporting boolean, owner_id text
      ) on commit drop`.execute(db)
    const counts = { lines: 0 }
    const rows = stagedCells(readScheduleRows(zip, skipped, signal), filings, skipped, counts)
    await copyRows(
      client,
      `copy owner_stage (line, crd_number, filing_id, submitted_at, ${COLUMNS.join(', ')}) from stdin`,
      rows,
      signal,
    )
    if (formAdvNames === 'drop') await redactSuppressed(db)
    const stored = await renewOwners(db, zip.file)
    const firms = new Set([...filings.values()].map(({ crd_number }) => crd_number)).size
    const { broken } = skipped
    const report = { file: zip.file, firms, ...stored, superseded: counts.lines - stored.owners, broken }
    if (actor) await recordAudit(db, actor, { action: 'firms.import_schedules', target: zip.file, details: report })
    return report
  })
}

async function* stagedCells(
  rows: AsyncIterable<ScheduleRow>,
  filings: ReadonlyMap<number, Filing>,
  skipped: Skipped,
  counts: { lines: number },
): AsyncGenerator<CopyCell[]> {
  for await (const row of rows) {
    const filing = filings.get(row.filing_id)
    if (filing)
      yield [
        ++counts.lines,
        filing.crd_number,
        filing.filing_id,
        filing.submitted_at,
        ...COLUMNS.map((name) => row[name]),
      ]
    else skipped.broken++
  }
}

/** Redacts the names of people who were erased at the company that owns the firm's website domain. */
async function redactSuppressed(db: Db): Promise<void> {
  const { rows } = await sql<{ line: number; full_legal_name: string; website_domain: string }>`
    select line, full_legal_name, website_domain from owner_stage join firm using (crd_number)
    where owner_type = 'I' and website_domain is not null and exists (select from suppressed_person)`.execute(db)
  const suppressed = await areSuppressed(
    db,
    rows.map(({ full_legal_name, website_domain }) => ({
      company_domain: website_domain,
      full_name: fromFiledOrder(full_legal_name),
    })),
  )
  const lines = rows.filter((_, place) => suppressed[place]).map(({ line }) => line)
  await sql`
    update owner_stage set full_legal_name = ${ERASED}, owner_id = null where line = any(${lines}::integer[])`.execute(
    db,
  )
}

/** Replaces the owners of each firm whose newest staged filing is newer than its stored filing. */
async function renewOwners(
  db: Db,
  file: string,
): Promise<Pick<ScheduleImportReport, 'firms_renewed' | 'owners' | 'persons'>> {
  await sql`
    create temporary table filing_renewed on commit drop as
    select latest.crd_number, latest.filing_id, latest.submitted_at
    from (
      select distinct on (crd_number) crd_number, filing_id, submitted_at
      from owner_stage order by crd_number, submitted_at desc, filing_id desc
    ) latest
    left join firm_schedule_filing known using (crd_number)
    where known.crd_number is null or (latest.submitted_at, latest.filing_id) > (known.submitted_at, known.filing_id)`.execute(
    db,
  )
  await recordOfficerChanges(db)
  await sql`delete from firm_owner where crd_number in (select crd_number from filing_renewed)`.execute(db)
  await sql`
    insert into firm_schedule_filing (crd_number, filing_id, submitted_at, file)
    select crd_number, filing_id, submitted_at, ${file} from filing_renewed
    on conflict (crd_number) do update
    set filing_id = excluded.filing_id, submitted_at = excluded.submitted_at, file = excluded.file`.execute(db)
  const { rows } = await sql<{ firms_renewed: number; owners: number; persons: number }>`
    with stored as (
      insert into firm_owner (crd_number, position, schedule, full_legal_name, owner_type, entity_in_which, title,
        status_acquired, ownership_code, control_person, public_reporting, owner_id)
      select crd_number, row_number() over (partition by crd_number order by schedule, line), schedule, full_legal_name,
        owner_type, entity_in_which, title, status_acquired, ownership_code, control_person, public_reporting, owner_id
      from owner_stage join filing_renewed using (crd_number, filing_id)
      returning owner_type
    )
    select (select count(*) from filing_renewed)::int as firms_renewed, count(*)::int as owners,
      count(*) filter (where owner_type = 'I')::int as persons
    from stored`.execute(db)
  return rows[0] as { firms_renewed: number; owners: number; persons: number }
}

/**
 * Records one leadership change per firm and filing, with the previous and the new natural persons on Schedule A. This
 * function must run before the old schedule is replaced. Records no change for a firm's first schedule, or for a
 * schedule with the same people and titles.
 */
async function recordOfficerChanges(db: Db): Promise<void> {
  await sql`
    with before as (
      select crd_number,
        jsonb_agg(jsonb_build_object('full_legal_name', full_legal_name, 'title', title)
          order by full_legal_name, title) as officers
      from firm_owner join filing_renewed using (crd_number)
      where schedule = 'A' and owner_type = 'I'
      group by crd_number
    ), after as (
      select crd_number,
        jsonb_agg(jsonb_build_object('full_legal_name', full_legal_name, 'title', title)
          order by full_legal_name, title) as officers
      from owner_stage join filing_renewed using (crd_number, filing_id)
      where schedule = 'A' and owner_type = 'I'
      group by crd_number
    )
    insert into firm_change (crd_number, as_of, field, old_value, new_value, import_id)
    select crd_number, filing_renewed.submitted_at::date, ${OFFICERS_FIELD}, before.officers, after.officers,
      (select gen_random_uuid())
    from filing_renewed join before using (crd_number) join after using (crd_number)
    where before.officers <> after.officers
    on conflict do nothing`.execute(db)
}
