import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'

/**
 * Returns stored personnel changes that differ from a classification of the whole history, as `domain/person_key kind`.
 * Each differing row is listed twice: as stored and as classified.
 */
export async function staleChanges(db: Kysely<WarehouseTables>): Promise<string[]> {
  const { rows } = await sql<{ change: string }>`
    with current as materialized (
      select change.* from (select distinct company_domain from sync.known_person) as company
      cross join lateral sync.classify_person_changes(company_domain) as change
    )
    select domain || '/' || person_key || ' ' || kind as change
    from ((table sync.person_change except table current) union all (table current except table sync.person_change)) as stale
    order by 1`.execute(db)
  return rows.map(({ change }) => change)
}
