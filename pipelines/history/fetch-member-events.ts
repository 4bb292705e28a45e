import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { HistoryReader, HistoryRecord, RecordEvents } from './fetch-record-events.ts'
import { fetchRecordEvents } from './fetch-record-events.ts'

/**
 * Fetches the events of a member and of its people who have an email address. Throws `upstream_failed` if the service
 * repeats the same page.
 */
export async function fetchMemberEvents(
  reader: HistoryReader & { warehouse: { db: Kysely<WarehouseTables> } },
  domain: string,
  since?: string,
): Promise<RecordEvents> {
  const found: RecordEvents = { events: [], rejected: [] }
  for (const record of await recordsOf(reader.warehouse.db, domain)) {
    const { events, rejected } = (await fetchRecordEvents(reader, record, since)) ?? throwRepeatedPage(record)
    found.events.push(...events)
    found.rejected.push(...rejected)
  }
  return found
}

function throwRepeatedPage({ key }: HistoryRecord): never {
  throw new AppError('upstream_failed', `The service repeats the same page of the history of ${key}.`)
}

async function recordsOf(db: Kysely<WarehouseTables>, domain: string): Promise<HistoryRecord[]> {
  const { rows } = await sql<HistoryRecord>`
    select 'company' as entity, ${domain}::text as domain, ${domain}::text as key
    union all
    (select distinct 'person', company_domain, email_hash from warehouse.person where company_domain = ${domain} and email_hash is not null order by 3)
  `.execute(db)
  return rows
}
