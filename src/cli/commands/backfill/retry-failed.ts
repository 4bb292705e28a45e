import { resetFailed } from '../../../../pipelines/backfill/store.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../../lib/errors.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'
import { refusePaused, watchBackfill } from '../../support/watch-backfill.ts'

export const retryFailed: Handler<{ id: number }> = async (command, { id }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  await refusePaused(warehouse.db, id)
  const change = { action: 'backfill.retry_failed', target: String(id) }
  if ((await auditedInWarehouse(warehouse.db, change, () => resetFailed(warehouse.db, id))) === 0)
    throw new AppError('not_found', `Backfill ${id} has no failed parts.`)
  return await watchBackfill(command, warehouse, id)
}
