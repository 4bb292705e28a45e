import { openOperations } from '../../../../pipelines/operations/warehouse.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import type { Warehouse } from '../../../http/warehouse.ts'
import type { Postgres } from '../../../lib/postgres.ts'
import { analystAddress } from '../access/analyst-login.ts'
import type { Command } from '../command.ts'
import { sinkOf } from '../sink.ts'

/** Returns the warehouse operations that the HTTP service exposes. */
export function operationsOf({ config, log }: Command, warehouse: Postgres<WarehouseTables>): Warehouse {
  const { freshness } = config.pipelines
  return openOperations({
    db: warehouse.db,
    schedule: config.schedule,
    targetShare: freshness.target_share,
    settings: config.pipelines,
    openSink: () => sinkOf(config),
    log,
    analystAddress: () => analystAddress(warehouse),
  })
}
