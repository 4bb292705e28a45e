import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { PipelineSettings } from '../runner/settings.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** Stores the maximum ages in the table that the freshness views read. */
export async function writeTargets(
  db: Kysely<WarehouseTables>,
  { max_age_days, by_source, due_soon_days }: PipelineSettings['freshness'],
): Promise<void> {
  const targets = Object.entries({ ...by_source, '': max_age_days }).map(([source, days]) => ({
    source,
    max_age_days: days,
    due_soon_days,
  }))
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('warehouse.freshness_target')
      .where(
        'source',
        'not in',
        targets.map(({ source }) => source),
      )
      .execute()
    await trx
      .insertInto('warehouse.freshness_target')
      .values(targets)
      .onConflict((conflict) =>
        conflict
          .column('source')
          .doUpdateSet(({ ref }) => ({
            max_age_days: ref('excluded.max_age_days'),
            due_soon_days: ref('excluded.due_soon_days'),
          }))
          .where(
            sql<boolean>`(freshness_target.max_age_days, freshness_target.due_soon_days) <> (excluded.max_age_days, excluded.due_soon_days)`,
          ),
      )
      .execute()
  })
}
