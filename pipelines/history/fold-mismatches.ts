import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** Lists company fields whose value in the record differs from the value in the latest event. */
export const FOLD_MISMATCHES = `
select company.domain, last.field, last.new_value as by_events, to_jsonb(company) -> last.field as by_record
from (
  select distinct on (domain, field) domain, field, new_value
  from warehouse.history_event where entity = 'company' order by domain, field, least(changed_at, recorded_at) desc, changed_at desc, position desc, event_key desc
) last
join warehouse.company using (domain)
where company.gone_at is null and to_jsonb(company) ? last.field
  and last.new_value #>> '{}' is distinct from to_jsonb(company) ->> last.field`

export async function listFoldMismatches(db: Kysely<WarehouseTables>): Promise<{ domain: string; field: string }[]> {
  return (await sql<{ domain: string; field: string }>`${sql.raw(FOLD_MISMATCHES)} order by 1, 2`.execute(db)).rows
}
