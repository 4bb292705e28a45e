import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { FetchableRecord, HistoryReader, RecordEvents } from './fetch-record-events.ts'
import { fetchRecordEvents } from './fetch-record-events.ts'
import { PEOPLE_WITH_HISTORY } from './people-with-history.ts'

/**
 * Fetches the events of a member and its people, including former people. Throws `upstream_failed` if the service
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

function throwRepeatedPage({ key }: FetchableRecord): never {
  throw new AppError('upstream_failed', `The service repeats the same page in the history of ${key}.`)
}

async function recordsOf(db: Kysely<WarehouseTables>, domain: string): Promise<FetchableRecord[]> {
  const { rows } = await sql<FetchableRecord>`
    select 'company' as entity, ${domain}::text as domain, ${domain}::text as key, null as person_id
    union all
    (select 'person', company_domain, person_key, person_id from ${PEOPLE_WITH_HISTORY} where company_domain = ${domain} order by 3)
  `.execute(db)
  return rows
}
