import { hash } from 'node:crypto'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../src/contract/firm-fields.ts'
import type { CopyCell, CopyTransaction } from '../../src/lib/copy-rows.ts'
import { copyRows, copyTransaction } from '../../src/lib/copy-rows.ts'
import type { Postgres, PostgresClient } from '../../src/lib/postgres.ts'
import { asPrepared } from '../../src/lib/prepared-statements.ts'
import { storableJson } from '../../src/lib/storable-text.ts'
import { sum } from '../../src/lib/sum.ts'
import { BYTE_ORDER } from '../walk/key-order.ts'
import { quarantine } from '../warehouse/quarantine.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject } from '../warehouse/rejected-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { unifyFirmIds } from './firm-identity.ts'
import type { FirmRow } from './firm-record.ts'
import { cellsOf, FIRM_SQL_TYPES } from './firm-record.ts'

/** A page to write, and the key range to advance with it. */
export interface FirmPage {
  number: number
  /** The range's revision when the page was fetched. */
  revision: number
  below: string | null
  closed: boolean
  /** Keys of the page's records that are inside the range. */
  keys: string[]
  rows: FirmRow[]
  rejected: RejectedRecord[]
  /** Firm ids of the rejected records whose id is readable. */
  rejectedFirms: string[]
  /** Keys of rejected records without a readable firm id. */
  unidentifiedKeys: string[]
}

/** The walk whose pages are written. */
export interface FirmWriter {
  walkId: number
  runId: number
  /** Whether to compare values instead of row hashes. */
  ignoreHashes?: boolean
}

export interface WrittenPage {
  inserted: number
  updated: number
  unchanged: number
  quarantined: number
}

const columns = (prefix = ''): string => [...FIRM_FIELD_NAMES, 'extra'].map((name) => `${prefix}${name}`).join(', ')

const STAGE_COLUMNS = `
  page integer, firm_id text collate "C", row_hash uuid, as_of date,
  ${FIRM_FIELD_NAMES.map((name) => `${name} ${FIRM_SQL_TYPES[FIRM_FIELDS[name].type]}`).join(', ')}, extra jsonb`

/**
 * The table's name depends on its columns, because a pooled connection can still have the temporary table of an earlier
 * version.
 */
const STAGE = `firm_stage_${hash('sha256', STAGE_COLUMNS).slice(0, 8)}`

/** Temporary table for the changed rows of the pages in a transaction. `page` is the page's position in the group. */
const CREATE_STAGE = `create temporary table if not exists ${STAGE} (${STAGE_COLUMNS}) on commit delete rows`

const COPY_STAGE = `copy pg_temp.${STAGE} (page, firm_id, row_hash, as_of, ${columns()}) from stdin`

const COPY_NEW = `copy warehouse.firm (run_id, valid_from, firm_id, row_hash, as_of, ${columns()}) from stdin`

/**
 * Writes changed rows, moves their previous versions to firm_previous, and marks firms that have returned as live. The
 * result `same` means that the values are equal but the hash differs.
 */
const WRITE_CHANGED = `
with stage as materialized (select * from pg_temp.${STAGE}),
-- All writers lock rows in one order, which prevents deadlocks. The rows are read after they are locked, so the second
-- of two writers sees the rows of the first.
current as materialized (
  select * from warehouse.firm where firm_id = any (array (select firm_id from stage)) order by firm_id for update
),
compared as materialized (
  select stage.*, case
      when current.firm_id is null then 'inserted'
      when current.gone_at is not null or (${columns('current.')}) is distinct from (${columns('stage.')}) then 'updated'
      else 'same'
    end as fate,
    -- The record's date if it is later than the current version's start, otherwise the time of the pull.
    case
      when current.firm_id is null then coalesce(stage.as_of::timestamp at time zone 'UTC', now())
      when stage.as_of::timestamp at time zone 'UTC' > coalesce(current.valid_to, current.valid_from) then stage.as_of::timestamp at time zone 'UTC'
      else greatest(now(), coalesce(current.valid_to, current.valid_from) + interval '1 microsecond')
    end as starts
  from stage left join current using (firm_id)
),
past as (
  insert into warehouse.firm_previous (firm_id, ${columns()}, as_of, valid_from, valid_to, recorded_at, run_id)
  select firm_id, ${columns('current.')}, current.as_of, valid_from, coalesce(valid_to, compared.starts), recorded_at, run_id
  from compared join current using (firm_id)
  where compared.fate = 'updated'
),
written as (
  insert into warehouse.firm (firm_id, ${columns()}, as_of, valid_from, run_id, row_hash)
  select firm_id, ${columns()}, as_of, starts, $1, row_hash
  from compared where fate in ('inserted', 'updated')
  order by firm_id
  on conflict (firm_id) do update set
    (${columns()}) = (${columns('excluded.')}), as_of = excluded.as_of, valid_from = excluded.valid_from, valid_to = null, gone_at = null,
    recorded_at = now(), last_changed_at = now(), run_id = excluded.run_id, row_hash = excluded.row_hash
),
rehashed as (
  update warehouse.firm set row_hash = compared.row_hash from compared
  where firm.firm_id = compared.firm_id and compared.fate = 'same' and firm.row_hash <> compared.row_hash
)
select page, fate, count(*)::integer as rows from compared group by page, fate`

/**
 * Advances the ranges whose revision has not changed. Locks the walk first, because a takeover changes all ranges and
 * two writers of several ranges could otherwise deadlock.
 */
const ADVANCE_RANGES = asPrepared(`
with walk as materialized (select id from sync.walk where id = $1 for key share),
page as (
  select * from json_to_recordset($2::json) as page (
    number integer, revision integer, pages integer, below text, closed boolean, keys text[], firm_ids text[], unidentified_keys text[],
    inserted integer, updated integer, unchanged integer, quarantined integer)
),
moved as (
  update sync.range_state as range
  set below = page.below, closed = page.closed, revision = range.revision + page.pages, pages = range.pages + page.pages,
    inserted = range.inserted + page.inserted, updated = range.updated + page.updated,
    unchanged = range.unchanged + page.unchanged, quarantined = range.quarantined + page.quarantined
  from walk, page
  where range.walk_id = walk.id and range.number = page.number and range.revision = page.revision
  returning walk_id, keys, firm_ids, unidentified_keys
),
seen as (insert into sync.walk_page (walk_id, keys, firm_ids, unidentified_keys) select * from moved)
select count(*)::integer as moved from moved`)

/**
 * Writes pages of firms and advances their ranges, all in one transaction unless two pages have a firm in common.
 * Returns undefined and rolls the transaction back if another run has taken over the walk.
 */
export async function writeFirmPages(
  postgres: Postgres<WarehouseTables>,
  writer: FirmWriter,
  fetched: readonly FirmPage[],
): Promise<WrittenPage[] | undefined> {
  await unifyFirmIds(
    postgres.pool,
    fetched.flatMap(({ rows }) => rows),
  )
  const pages = fetched.map(rejectRepeated)
  const written: WrittenPage[] = []
  try {
    for (const group of withDistinctFirms(pages)) written.push(...(await writeGroup(postgres, writer, group)))
  } catch (error) {
    if (error instanceof RangesMoved) return undefined
    throw error
  }
  return written
}

/** Thrown to roll back the transaction if the revision of a range has changed. */
class RangesMoved extends Error {}

/** Rejects rows that resolve to a firm that is already on the page. */
function rejectRepeated(page: FirmPage): FirmPage {
  const rows = new Map<string, FirmRow>()
  const rejected = [...page.rejected]
  for (const row of page.rows)
    if (rows.has(row.firm_id))
      rejected.push(reject(cellsOf(row), row.firm_id, `firm ${row.firm_id} appears twice on a page`))
    else rows.set(row.firm_id, row)
  return { ...page, rows: [...rows.values()], rejected }
}

/** Divides the pages into groups without a repeated firm, because one statement cannot write a row twice. */
function withDistinctFirms(pages: readonly FirmPage[]): FirmPage[][] {
  const groups: FirmPage[][] = []
  let seen = new Set<string>()
  for (const page of pages) {
    if (groups.length === 0 || page.rows.some(({ firm_id }) => seen.has(firm_id))) {
      groups.push([])
      seen = new Set()
    }
    groups.at(-1)?.push(page)
    for (const { firm_id } of page.rows) seen.add(firm_id)
  }
  return groups
}

/** Thrown if another writer has inserted a firm since the firm's hash was read. */
class FirmInserted extends Error {}

async function writeGroup(
  postgres: Postgres<WarehouseTables>,
  writer: FirmWriter,
  pages: readonly FirmPage[],
): Promise<WrittenPage[]> {
  try {
    return await copyTransaction(postgres, (transaction) => writeInTransaction(transaction, writer, pages))
  } catch (error) {
    // The retry finds the inserted firm. The retries terminate, because rows are never deleted from the `firm` table.
    if (error instanceof FirmInserted) return await writeGroup(postgres, writer, pages)
    throw error
  }
}

async function writeInTransaction(
  { client, db }: CopyTransaction<WarehouseTables>,
  { walkId, runId, ignoreHashes = false }: FirmWriter,
  pages: readonly FirmPage[],
): Promise<WrittenPage[]> {
  const stored = await readHashes(client, pages)
  const written = pages.map(({ rejected }) => ({ inserted: 0, updated: 0, unchanged: 0, quarantined: rejected.length }))
  const added: FirmRow[] = []
  const staged: StagedRow[] = []
  for (const [page, { rows }] of pages.entries()) {
    const counts = written[page] as WrittenPage
    for (const row of rows) {
      const hash = stored.get(row.firm_id)
      if (hash === undefined && !ignoreHashes) {
        counts.inserted += 1
        added.push(row)
      } else if (ignoreHashes || hash !== row.row_hash) staged.push({ page, row })
      else counts.unchanged += 1
    }
  }
  await writeNew(client, added, runId)
  for (const { page, fate, rows } of await writeChanged(client, staged, runId))
    (written[page] as WrittenPage)[fate === 'same' ? 'unchanged' : fate] += rows
  await quarantine(
    db,
    pages.flatMap(({ rejected }) => rejected.map((reject) => ({ entity: 'firm', reject }))),
    runId,
  )
  const moves = [...Map.groupBy(pages.keys(), (index) => pages[index]?.number).values()].map((indexes) =>
    moveOf(indexes.map((index) => ({ page: pages[index] as FirmPage, written: written[index] as WrittenPage }))),
  )
  const { rows: counts } = await client.query<{ moved: number }>(ADVANCE_RANGES, [walkId, JSON.stringify(moves)])
  if (counts[0]?.moved !== moves.length) throw new RangesMoved()
  return written
}

/** The change to a range after the given pages, which are in order. */
function moveOf(pages: readonly { page: FirmPage; written: WrittenPage }[]) {
  const [first, last] = [pages[0]?.page, pages.at(-1)?.page]
  const total = (count: keyof WrittenPage): number => sum(pages.map(({ written }) => written[count]))
  return {
    ...{ number: first?.number, revision: first?.revision, pages: pages.length },
    ...{ below: last?.below, closed: last?.closed },
    ...{ inserted: total('inserted'), updated: total('updated') },
    ...{ unchanged: total('unchanged'), quarantined: total('quarantined') },
    keys: pages.flatMap(({ page }) => page.keys),
    firm_ids: pages.flatMap(({ page }) => [...page.rows.map(({ firm_id }) => firm_id), ...page.rejectedFirms]),
    unidentified_keys: pages.flatMap(({ page }) => page.unidentifiedKeys),
  }
}

interface StagedRow {
  page: number
  row: FirmRow
}

/** Number of changed rows on a page, by result. */
interface Fate {
  page: number
  fate: 'inserted' | 'updated' | 'same'
  rows: number
}

/** Inserts firms that were not in the warehouse when their hashes were read. All writers use one order. */
async function writeNew(client: PostgresClient, rows: readonly FirmRow[], runId: number): Promise<void> {
  if (rows.length === 0) return
  const sorted = rows.toSorted((a, b) => BYTE_ORDER.compare(a.firm_id, b.firm_id))
  const cells = sorted.map((row): CopyCell[] => [
    runId,
    row.as_of === null ? 'now' : `${row.as_of} 00:00Z`,
    ...cellsOfRow(row),
  ])
  await copyRows(client, COPY_NEW, cells).catch((error: unknown) => {
    throw isDuplicateFirm(error) ? new FirmInserted() : error
  })
}

const isDuplicateFirm = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'firm_pkey'

async function writeChanged(client: PostgresClient, staged: readonly StagedRow[], runId: number): Promise<Fate[]> {
  if (staged.length === 0) return []
  await client.query(CREATE_STAGE)
  await copyRows(
    client,
    COPY_STAGE,
    staged.map(({ page, row }) => [page, ...cellsOfRow(row)]),
  )
  return (await client.query<Fate>(WRITE_CHANGED, [runId])).rows
}

/**
 * The row's cells in the order of both COPY statements. Known fields are already validated. Unknown fields can contain
 * characters that PostgreSQL cannot store, such as NUL.
 */
const cellsOfRow = ({ firm_id, row_hash, as_of, values, extra }: FirmRow): CopyCell[] => [
  firm_id,
  row_hash,
  as_of,
  ...values,
  extra && storableJson(extra),
]

/**
 * Returns the row hashes of the pages' firms that are in the warehouse; null for a gone firm. The query is not a
 * prepared statement, because a plan made while the table was empty would scan the whole table for every page.
 */
async function readHashes(
  client: PostgresClient,
  pages: readonly FirmPage[],
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await client.query<{ firm_id: string; row_hash: string | null }>(
    'select firm_id, case when gone_at is null then row_hash end as row_hash from warehouse.firm where firm_id = any($1::text[])',
    [pages.flatMap((page) => page.rows.map(({ firm_id }) => firm_id))],
  )
  return new Map(rows.map(({ firm_id, row_hash }) => [firm_id, row_hash]))
}
