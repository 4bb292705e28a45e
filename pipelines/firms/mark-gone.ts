import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Missing } from '../warehouse/gone-share.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

type Db = Kysely<WarehouseTables>

/** Number of distinct keys that the walk has received. */
export async function countSeen(db: Db, walkId: number): Promise<number> {
  const { rows } = await sql<{ seen: number }>`
    select count(distinct key) as seen from sync.walk_page, unnest(keys) as key where walk_id = ${walkId}
  `.execute(db)
  return rows[0]?.seen ?? 0
}

/** Returns which of the given keys the walk has received. */
export async function seenAmong(db: Db, walkId: number, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct key from sync.walk_page, unnest(keys) as key where walk_id = ${walkId} and key = any(${keys}::text[])
  `.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Whether a live firm was first seen before the walk started. No other firm can be missing from the walk. */
export async function hasEarlierFirms(db: Db, startedAt: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from warehouse.firm where gone_at is null and first_seen_at < ${startedAt}::timestamptz) as found
  `.execute(db)
  return rows[0]?.found ?? true
}

/**
 * Counts live firms, and live firms missing from the walk. Compares firms by CRD number, because an SEC number may be
 * reassigned to another firm. A firm whose record was rejected is not missing.
 */
export async function countMissing(db: Db, walkId: number): Promise<Missing> {
  const { rows } = await sql<Missing>`
    with ${compared(walkId)}
    select coalesce(sum(firms), 0) as live, coalesce(sum(firms) filter (where not seen), 0) as missing from compared
  `.execute(db)
  return rows[0] as Missing
}

/**
 * Marks live firms missing from the walk as gone and returns the count. A firm's last version ends on the date of the
 * newest data, or at the current time if the version started on or after that date.
 */
export async function markGone(db: Db, walkId: number, runId: number, dataAsOf: string | null): Promise<number> {
  const day = sql`${dataAsOf}::date::timestamp at time zone 'UTC'`
  const { rows } = await sql<{ gone: number }>`
    with ${compared(walkId)},
    missing as materialized (select firm_id from compared where firms > 0 and not seen),
    marked as (
      update warehouse.firm
      set gone_at = now(), last_changed_at = now(), run_id = ${runId},
        valid_to = case when ${day} > valid_from then ${day} else greatest(now(), valid_from + interval '1 microsecond') end
      where gone_at is null and firm_id in (select firm_id from missing)
        and exists (select from sync.walk where id = ${walkId} and run_id = ${runId} and closed_at is null)
      returning 1
    )
    select count(*) as gone from marked
  `.execute(db)
  return rows[0]?.gone ?? 0
}

/**
 * One row per firm that is live or was received by the walk. Groups rows instead of joining, because right after the
 * first pull the planner assumes that both tables are tiny and would choose a nested loop.
 */
const compared = (walkId: number) => sql`compared as materialized (
      select firm_id, sum(firms) as firms, bool_or(seen) as seen
      from (
        select firm_id, 1 as firms, false as seen from warehouse.firm where gone_at is null
        union all
        select firm_id collate "C", 0, true from sync.walk_page, unnest(firm_ids) as firm_id where walk_id = ${walkId}
        union all
        select firm_id, 0, true from warehouse.firm
        where gone_at is null
          and sec_number = any (array (select key from sync.walk_page, unnest(unidentified_keys) as key where walk_id = ${walkId}))
      ) each_firm
      group by firm_id
    )`
