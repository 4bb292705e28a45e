import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { refusePaused, watchBackfill } from '../../support/watch-backfill.ts'

export const runPlanned: Handler<{ id: number }> = async (command, { id }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  await refusePaused(warehouse.db, id)
  return await watchBackfill(command, warehouse, id)
}
