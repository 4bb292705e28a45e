import type { Kysely } from 'kysely'
import { LEADERSHIP_MAXIMUM, SIGNALS_MAXIMUM } from '../../src/contract/enrichment.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/**
 * Each field group's price per company in units and maximum number of companies per request, as defined by the
 * interface.
 */
export const GROUPS = {
  company: { units: 1, companies: Number.POSITIVE_INFINITY },
  leadership: { units: 5, companies: LEADERSHIP_MAXIMUM },
  signals: { units: 3, companies: SIGNALS_MAXIMUM },
} as const satisfies Record<string, { units: number; companies: number }>

export type Group = keyof typeof GROUPS

/**
 * The groups in the order in which they are paid for. A company's own fields come first, because the other groups use
 * them.
 */
export const GROUP_NAMES = Object.keys(GROUPS) as Group[]

/** Stores the groups to enrich in the table that the freshness views read. */
export async function writeGroups(db: Kysely<WarehouseTables>, groups: readonly Group[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('warehouse.enrichment_group')
      .$if(groups.length > 0, (query) => query.where('field_group', 'not in', [...groups]))
      .execute()
    if (groups.length > 0)
      await trx
        .insertInto('warehouse.enrichment_group')
        .values(groups.map((group) => ({ field_group: group, units: GROUPS[group].units })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
}
