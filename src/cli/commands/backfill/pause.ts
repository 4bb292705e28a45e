import { moveTo, readBackfill } from '../../../../pipelines/backfill/store.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../../lib/errors.ts'
import { backfillText } from '../../support/backfill-text.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'

export const pause: Handler<{ id: number }> = async (command, { id }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const change = { action: 'backfill.pause', target: String(id) }
  const isPaused = await auditedInWarehouse(warehouse.db, change, () => moveTo(warehouse.db, id, 'paused'))
  const backfill = await readBackfill(warehouse.db, id)
  if (!isPaused) throw new AppError('conflict', `Backfill ${id} is already ${backfill.state}.`)
  command.out.result(backfill, () => backfillText(backfill))
}
