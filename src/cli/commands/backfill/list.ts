import { listBackfills } from '../../../../pipelines/backfill/store.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { backfillText } from '../../support/backfill-text.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const list: Handler = async (command) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const backfills = await listBackfills(warehouse.db)
  command.out.result(backfills, () =>
    backfills.length > 0
      ? backfills.map(backfillText).join('\n')
      : 'No backfills yet. Create one with `talhouse backfill plan`.',
  )
}
