import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../src/contract/firm-fields.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { unifyFirmIds } from './firm-identity.ts'
import type { FirmRow } from './firm-record.ts'
import { FIRM_SQL_TYPES } from './firm-record.ts'

/** A page to write, and the key range to advance with it. */
export interface FirmPageWrite {
  walkId: number
  number: number
  /** The range's revision when the page was fetched. If it has changed, nothing is written. */
  revision: number
  runId: number
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
const ROW_TYPE = `${FIRM_FIELD_NAMES.map((name) => `${name} ${FIRM_SQL_TYPES[FIRM_FIELDS[name].type]}`).join(', ')}, extra jsonb`

/** A fence against a second writer: if the range's revision has changed, the rest of the statement has no effect. */
const moved = (inserted: string, updated: string, unchanged: string): string => `
  moved as (
    update sync.range_state
    set below = $4, closed = $5, revision = revision + 1, pages = pages + 1, inserted = inserted + ${inserted},
      updated = updated + ${updated}, unchanged = unchanged + ${unchanged}, quarantined = quarantined + $7::int
    where walk_id = $1 and number = $2 and revision = $3
    returning walk_id
  ),
  seen as (insert into sync.walk_page (walk_id, keys, firm_ids, unidentified_keys) select walk_id, $6::text[], $9::text[], $10::text[] from moved)`

/** For a page without changed firms. Advances the range and locks no row of the firm table. */
const MOVE_ONLY = `with ${moved('0', '0', '$8::int')} select count(*)::int as moved, 0 as inserted, 0 as updated, 0 as same from moved`

/** For a page with only new firms. Does not read the firm table, so the query plan does not depend on its size. */
const INSERT_PAGE = `
with page as materialized (
  select * from json_to_recordset($11::json) as row (firm_id text, row_hash uuid, as_of date, ${ROW_TYPE})
),
${moved('(select count(*) from page)', '0', '$8::int')},
written as (
  insert into warehouse.firm (firm_id, ${columns()}, as_of, valid_from, run_id, row_hash)
  select firm_id, ${columns()}, as_of, coalesce(as_of::timestamp at time zone 'UTC', now()), $12, row_hash
  from page where exists (select from moved)
  -- All writers use one order, which prevents deadlocks.
  order by firm_id collate "C"
  on conflict (firm_id) do nothing
)
select (select count(*)::int from moved) as moved, (select count(*)::int from page) as inserted, 0 as updated, 0 as same`

/**
 * Writes a page and advances its range in one statement. Writes only changed rows, moves the previous version of a
 * changed firm to firm_previous, and makes a gone firm live again. `same` counts the rows whose hash differs although
 * their values are equal.
 */
const WRITE_PAGE = `
with page as materialized (
  select * from json_to_recordset($11::json) as row (firm_id text, row_hash uuid, as_of date, ${ROW_TYPE})
),
-- All writers lock rows in one order, which prevents deadlocks. The rows are read after they are locked, so the second
-- of two writers sees the rows of the first.
current as materialized (
  select * from warehouse.firm where firm_id = any (array (select firm_id from page)) order by firm_id for update
),
compared as materialized (
  select page.*, case
      when current.firm_id is null then 'inserted'
      when current.gone_at is not null or (${columns('current.')}) is distinct from (${columns('page.')}) then 'updated'
      else 'same'
    end as fate,
    -- The record's date if it is later than the current version's start, otherwise the time of the pull.
    case
      when current.firm_id is null then coalesce(page.as_of::timestamp at time zone 'UTC', now())
      when page.as_of::timestamp at time zone 'UTC' > coalesce(current.valid_to, current.valid_from) then page.as_of::timestamp at time zone 'UTC'
      else greatest(now(), coalesce(current.valid_to, current.valid_from) + interval '1 microsecond')
    end as starts
  from page left join current using (firm_id)
),
${moved(
  "(select count(*) from compared where fate = 'inserted')",
  "(select count(*) from compared where fate = 'updated')",
  "$8::int + (select count(*) from compared where fate = 'same')",
)},
past as (
  insert into warehouse.firm_previous (firm_id, ${columns()}, as_of, valid_from, valid_to, recorded_at, run_id)
  select firm_id, ${columns('current.')}, current.as_of, valid_from, coalesce(valid_to, compared.starts), recorded_at, run_id
  from compared join current using (firm_id)
  where compared.fate = 'updated' and exists (select from moved)
),
written as (
  insert into warehouse.firm (firm_id, ${columns()}, as_of, valid_from, run_id, row_hash)
  select firm_id, ${columns()}, as_of, starts, $12, row_hash
  from compared where fate in ('inserted', 'updated') and exists (select from moved)
  order by firm_id collate "C"
  on conflict (firm_id) do update set
    (${columns()}) = (${columns('excluded.')}), as_of = excluded.as_of, valid_from = excluded.valid_from, valid_to = null, gone_at = null,
    recorded_at = now(), last_changed_at = now(), run_id = excluded.run_id, row_hash = excluded.row_hash
),
rehashed as (
  update warehouse.firm set row_hash = compared.row_hash from compared
  where firm.firm_id = compared.firm_id and compared.fate = 'same' and firm.row_hash <> compared.row_hash and exists (select from moved)
),
quarantined as (
  insert into warehouse.quarantine (entity, fingerprint, key, reason, record, run_id)
  select distinct on (fingerprint) 'firm', fingerprint, key, reason, coalesce(record, 'null'), $12
  from jsonb_to_recordset($13::jsonb) as reject (fingerprint uuid, key text, reason text, record jsonb) where exists (select from moved)
  order by fingerprint
  on conflict (entity, fingerprint) do update set last_seen_at = now(), run_id = excluded.run_id, resolved_at = null, reason = excluded.reason
)
select (select count(*)::int from moved) as moved,
  (select count(*)::int from compared where fate = 'inserted') as inserted,
  (select count(*)::int from compared where fate = 'updated') as updated,
  (select count(*)::int from compared where fate = 'same') as same`

interface Outcome {
  moved: number
  inserted: number
  updated: number
  same: number
}

/**
 * Writes a page of firms and advances its range in one statement. Returns undefined and changes nothing if the range's
 * revision has changed.
 */
export async function writeFirmPage(
  { pool }: Postgres<WarehouseTables>,
  page: FirmPageWrite,
): Promise<WrittenPage | undefined> {
  await unifyFirmIds(pool, page.rows)
  const { added, changed } = page.ignoreHashes
    ? { added: [], changed: page.rows }
    : await compareWithCurrent(pool, page.rows)
  const unchanged = page.rows.length - added.length - changed.length
  const quarantined = page.rejected.length
  const firmIds = [...page.rows.map(({ firm_id }) => firm_id), ...page.rejectedFirms]
  const { walkId, number, revision, below, closed, keys, unidentifiedKeys } = page
  const values = [walkId, number, revision, below, closed, keys, quarantined, unchanged, firmIds, unidentifiedKeys]
  const rows = [...added, ...changed].map(({ cells }) => cells)
  // The known fields were checked when they were read. Only unknown fields may contain unstorable characters.
  const json = rows.some(({ extra }) => extra !== undefined) ? storableJson(rows) : JSON.stringify(rows)
  const query = async (text: string, more: unknown[], name?: string): Promise<Outcome> =>
    (await pool.query<Outcome>({ ...(name && { name }), text, values: [...values, ...more] })).rows[0] as Outcome
  const outcome =
    changed.length + quarantined > 0
      ? await query(WRITE_PAGE, [json, page.runId, storableJson(page.rejected)])
      : added.length > 0
        ? await query(INSERT_PAGE, [json, page.runId], 'insert-firm-page')
        : await query(MOVE_ONLY, [], 'move-firm-range')
  if (outcome.moved === 0) return undefined
  return { inserted: outcome.inserted, updated: outcome.updated, unchanged: unchanged + outcome.same, quarantined }
}

/**
 * Returns the new rows and the changed rows, which include gone firms; unchanged rows are not written. The query is not
 * a prepared statement, because a plan made while the table was empty would scan the whole table for every page.
 */
async function compareWithCurrent(
  pool: Postgres<WarehouseTables>['pool'],
  rows: FirmRow[],
): Promise<{ added: FirmRow[]; changed: FirmRow[] }> {
  if (rows.length === 0) return { added: [], changed: [] }
  const current = await pool.query<{ firm_id: string; row_hash: string | null }>({
    text: 'select firm_id, case when gone_at is null then row_hash end as row_hash from warehouse.firm where firm_id = any($1::text[])',
    values: [rows.map(({ firm_id }) => firm_id)],
  })
  const hashes = new Map(current.rows.map((row) => [row.firm_id, row.row_hash]))
  return {
    added: rows.filter((row) => !hashes.has(row.firm_id)),
    changed: rows.filter((row) => hashes.has(row.firm_id) && hashes.get(row.firm_id) !== row.row_hash),
  }
}
