import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { PipelineSettings } from '../runner/settings.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/**
 * Stores the maximum ages in the table that the freshness views read. Does not write unchanged rows.
 */
export async function writeTargets(
  db: Kysely<WarehouseTables>,
  { max_age_days, by_source, due_soon_days }: PipelineSettings['freshness'],
): Promise<void> {
  const targets = Object.entries({ ...by_source, '': max_age_days })
  const [sources, ages] = [targets.map(([source]) => source), targets.map(([, days]) => days)]
  await db.transaction().execute(async (trx) => {
    await sql`delete from warehouse.freshness_target where source <> all (${sources}::text[])`.execute(trx)
    await sql`
      insert into warehouse.freshness_target (source, max_age_days, due_soon_days)
      select source, max_age_days, ${due_soon_days} from unnest(${sources}::text[], ${ages}::float8[]) as target (source, max_age_days)
      where (source, max_age_days, ${due_soon_days}::float8) not in (select source, max_age_days, due_soon_days from warehouse.freshness_target)
      on conflict (source) do update set max_age_days = excluded.max_age_days, due_soon_days = excluded.due_soon_days`.execute(
      trx,
    )
  })
}
