import { sql } from 'kysely'
import { HAS_ERASURE_FEED } from '../erasures/suppression.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { MemberRecord } from './read-record.ts'
import { presentKeys } from './remove-persons.ts'

/**
 * Returns the ids of people who left the company: people who are missing from its record but whose individual records
 * the service still returns. Sends one request per missing person. Returns no ids if the service does not report
 * erasures, because the warehouse would then not learn that a former person was erased.
 */
export async function listDeparted(
  { client, warehouse, settings, signal }: RunContext,
  record: MemberRecord,
): Promise<ReadonlySet<string>> {
  const departed = new Set<string>()
  if (record.personsIncomplete !== undefined || settings.members.former_people_days === 0) return departed
  const current = record.persons.map(({ person_id }) => person_id).filter((id) => id !== null)
  const { rows } = await sql<{ person_id: string }>`
    select person_id from warehouse.person
    where company_domain = ${record.domain} and person_id <> all (${current}::text[])
      and person_key <> all (${presentKeys(record)}::text[]) and ${HAS_ERASURE_FEED}
    order by 1`.execute(warehouse.db)
  for (const { person_id } of rows) if (await client.persons.get(person_id, {}, signal)) departed.add(person_id)
  return departed
}
