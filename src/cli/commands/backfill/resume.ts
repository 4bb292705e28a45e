import { moveTo, readBackfill } from '../../../../pipelines/backfill/store.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'
import { watchBackfill } from '../../support/watch-backfill.ts'

export const resume: Handler<{ id: number }> = async (command, { id }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const { state } = await readBackfill(warehouse.db, id)
  const change = { action: 'backfill.resume', target: String(id) }
  if (state === 'paused') await auditedInWarehouse(warehouse.db, change, () => moveTo(warehouse.db, id, 'running'))
  return await watchBackfill(command, warehouse, id)
}
