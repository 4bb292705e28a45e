import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { isFullPullDue } from '../members/due-record.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { PEOPLE_WITH_HISTORY } from './people-with-history.ts'

/**
 * Lists members whose entire history is due to be pulled again. A full pull finds events that a host published too late
 * for the overlap. Spreads these pulls over several nights, like the full pulls of records.
 */
export async function listFullPulls({ warehouse, clock, settings }: RunContext): Promise<string[]> {
  const now = await clock.now()
  const { rows } = await sql<{ domain: string; value: string }>`
    select company.domain, mark.value
    from warehouse.company join sync.watermark mark on mark.pipeline = 'history' and mark.subject = 'whole/' || company.domain
    where company.gone_at is null
  `.execute(warehouse.db)
  const due = rows.filter(({ domain, value }) => isFullPullDue(domain, value, now, settings.history.full_pull_days))
  return [...due.map(({ domain }) => domain), ...(await listRejecting(warehouse.db))]
}

/** Lists members with rejected events, because the service may have corrected the events. */
async function listRejecting(db: Kysely<WarehouseTables>): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    with rejected as (select key from warehouse.quarantine where entity = 'history_event' and resolved_at is null)
    select domain from warehouse.company where gone_at is null and domain in (select key from rejected)
    union select company_domain from ${PEOPLE_WITH_HISTORY} where person_key in (select key from rejected)
  `.execute(db)
  return rows.map(({ domain }) => domain)
}

/** Stores the time of a full pull of the history of a member and its people. */
export async function saveFullPull(
  db: Kysely<WarehouseTables>,
  domain: string,
  now: Date,
  runId: number,
): Promise<void> {
  await sql`
    insert into sync.watermark (pipeline, subject, value, run_id) values ('history', ${`whole/${domain}`}, ${now.toISOString()}, ${runId})
    on conflict (pipeline, subject) do update set value = excluded.value, run_id = excluded.run_id, moved_at = now()
  `.execute(db)
}
