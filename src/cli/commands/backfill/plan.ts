import { planBackfill } from '../../../../pipelines/backfill/plan.ts'
import { readBackfill, saveBackfill } from '../../../../pipelines/backfill/store.ts'
import type { Verifiable } from '../../../../pipelines/compare/difference.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { backfillText } from '../../support/backfill-text.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'

interface Arguments {
  dataset: Verifiable
  from: string | undefined
  members: string[] | undefined
}

export const plan: Handler<Arguments> = async (command, { dataset, from, members }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const planned = await planBackfill(warehouse.db, dataset, { from, members }, command.config.pipelines)
  const change = { action: 'backfill.plan', target: dataset, details: { from, members: members?.length } }
  const id = await auditedInWarehouse(warehouse.db, change, () => saveBackfill(warehouse.db, planned))
  const backfill = await readBackfill(warehouse.db, id)
  command.out.result(backfill, () => `${backfillText(backfill)}\nRun it: talhouse backfill run ${backfill.id}`)
}
