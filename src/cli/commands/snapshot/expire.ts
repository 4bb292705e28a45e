import { expireSnapshots } from '../../../../pipelines/snapshot/expire-snapshots.ts'
import { damagedReason } from '../../../../pipelines/snapshot/list-snapshots.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { sinkOf } from '../../support/sink.ts'
import { auditedInWarehouse } from '../../support/warehouse-audit.ts'

export const expire: Handler = async (command) => {
  const { config, out } = command
  const sink = await sinkOf(config)
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const change = { action: 'snapshot.expire', target: sink.url, details: { keep: config.snapshot.keep } }
  const expired = await auditedInWarehouse(warehouse.db, change, () => expireSnapshots(sink, config.snapshot.keep))
  for (const id of expired.damaged) out.note(damagedReason(id))
  out.result(
    expired,
    () =>
      `Deleted ${pluralize(expired.snapshots.length, 'snapshot')} and ${pluralize(expired.leftovers, 'orphaned file')}.`,
  )
}
