import { openOperations } from '../../pipelines/operations/warehouse.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Warehouse } from '../../src/http/warehouse.ts'
import type { Postgres } from '../../src/lib/postgres.ts'

/** The warehouse as the service shows it, with the default schedule and no snapshots. */
export const testOperations = ({ db }: Postgres<WarehouseTables>): Warehouse =>
  openOperations({
    db,
    schedule: { cron: '0 2 * * *', time_zone: 'UTC', catch_up: 'latest', pipelines: ['nightly'] },
    targetShare: 0.8,
    unitsPerNight: 1000,
    openSink: () => Promise.reject(new Error('no snapshots')),
  })
