import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOperations } from '../../pipelines/operations/warehouse.ts'
import { directorySink } from '../../pipelines/sinks/directory.ts'
import type { Sink } from '../../pipelines/sinks/sink.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { analystAddress } from '../../src/cli/support/access/analyst-login.ts'
import type { Warehouse } from '../../src/http/warehouse.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { PIPELINE_SETTINGS } from './pipeline-deps.ts'

interface Options {
  /** @default no snapshots */
  openSink?: () => Promise<Sink>
  /** Timeout of a query. The default is long enough for a busy machine. */
  timeoutSeconds?: number
}

const noSnapshots = async (): Promise<Sink> => directorySink(join(tmpdir(), 'talhouse-no-snapshots'))

/** The service's view of the warehouse, with the default schedule. */
export const testOperations = (
  warehouse: Postgres<WarehouseTables>,
  { openSink = noSnapshots, timeoutSeconds = 120 }: Options = {},
): Warehouse =>
  openOperations({
    db: warehouse.db,
    schedule: { cron: '0 2 * * *', time_zone: 'UTC', catch_up: 'latest', pipelines: ['nightly'] },
    targetShare: 0.8,
    openSink,
    settings: PIPELINE_SETTINGS,
    log: silentLog,
    analystAddress: () => analystAddress(warehouse),
    timeoutSeconds,
  })
