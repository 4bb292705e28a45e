import type { Kysely } from 'kysely'
import { LEADERSHIP_MAXIMUM, SIGNALS_MAXIMUM } from '../../src/contract/enrichment.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** What the interface says of buying a group of fields: units for each company, and companies of one request at the most. */
export const GROUPS = {
  company: { units: 1, companies: Number.POSITIVE_INFINITY },
  leadership: { units: 5, companies: LEADERSHIP_MAXIMUM },
  signals: { units: 3, companies: SIGNALS_MAXIMUM },
} as const satisfies Record<string, { units: number; companies: number }>

export type Group = keyof typeof GROUPS

/** In this order they are paid for: without a company's own fields the others are worth less. */
export const GROUP_NAMES = Object.keys(GROUPS) as Group[]

/** Brings the table of what is bought in line with the settings: the views of freshness read it. */
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
