import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOperations } from '../../pipelines/operations/warehouse.ts'
import { directorySink } from '../../pipelines/sinks/directory.ts'
import type { Sink } from '../../pipelines/sinks/sink.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Warehouse } from '../../src/http/warehouse.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { PIPELINE_SETTINGS } from './pipeline-deps.ts'

/** The warehouse as the service shows it, with the default schedule. Without `openSink`, there are no snapshots. */
export const testOperations = (
  { db, url }: Postgres<WarehouseTables>,
  openSink: () => Promise<Sink> = async () => directorySink(join(tmpdir(), 'talhouse-no-snapshots')),
): Warehouse =>
  openOperations({
    db,
    schedule: { cron: '0 2 * * *', time_zone: 'UTC', catch_up: 'latest', pipelines: ['nightly'] },
    targetShare: 0.8,
    openSink,
    settings: PIPELINE_SETTINGS,
    log: silentLog,
    analystAddress: async () => asAnalyst(url),
    timeoutSeconds: 5,
  })

/** The database's URL with the analyst's role, whose password the tests do not set. */
function asAnalyst(url: string): string {
  const address = new URL(url)
  address.searchParams.set('options', '-c TimeZone=UTC -c role=talhouse_analyst -c search_path=warehouse,public')
  return address.href
}
