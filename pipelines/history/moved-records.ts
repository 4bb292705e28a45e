import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { HistoryRecord } from './fetch-record-events.ts'

/** A record whose history has to be asked for. */
export interface MovedRecord extends HistoryRecord {
  subject: string
  /** Where its watermark stands; null: nothing has been taken in yet. */
  watermark: string | null
  /** Newest change of the whole member that was known when it was listed; null where the service does not tell. */
  history_at: string | null
}

/**
 * Members of today whose record moved since their watermark, and their people with an address. Where the service tells when a record's
 * history last moved (`history_at`), those that stand still are left out; where it does not, all are asked.
 */
export async function listMovedRecords(db: Kysely<WarehouseTables>): Promise<MovedRecord[]> {
  const { rows } = await sql<MovedRecord>`
    with moved as (
      select company.domain, company.history_at
      from warehouse.company
      left join sync.watermark checked on checked.pipeline = 'history' and checked.subject = 'checked/' || company.domain
      where company.gone_at is null
        and (company.history_at is null and not coalesce(${tellsHistory}, false) or company.history_at > coalesce(checked.value::timestamptz, '-infinity'))
    ),
    records as (
      select 'company' as entity, domain, domain as key, 'company/' || domain as subject, history_at from moved
      union all
      select distinct 'person', person.company_domain, person.email_hash, 'person/' || person.company_domain || '/' || person.email_hash, moved.history_at
      from warehouse.person join moved on moved.domain = person.company_domain
      where person.email_hash is not null
    )
    select records.*, mark.value as watermark
    from records left join sync.watermark mark on mark.pipeline = 'history' and mark.subject = records.subject
    order by domain, entity, key
  `.execute(db)
  return rows
}

/** Has this service ever told a `history_at`? Then a company without one has no history. */
const tellsHistory = sql`(select bool_or(history_at is not null) from warehouse.company)`

/** Notes that the whole of a member's history, its own and its people's, has been taken in up to the moment that was known before. */
export async function noteChecked(
  db: Kysely<WarehouseTables>,
  { domain, history_at }: Pick<MovedRecord, 'domain' | 'history_at'>,
  runId: number,
): Promise<void> {
  if (history_at === null) return
  await sql`
    insert into sync.watermark as mark (pipeline, subject, value, run_id)
    values ('history', ${`checked/${domain}`}, ${history_at}, ${runId})
    on conflict (pipeline, subject) do update set value = excluded.value, run_id = excluded.run_id, moved_at = now()
    where mark.value < excluded.value
  `.execute(db)
}
