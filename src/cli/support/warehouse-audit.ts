import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { cliActor } from './cli-actor.ts'

/**
 * Returns access to the warehouse's audit log, which is in the `sync` schema and has the same columns as the service's
 * audit log.
 */
export const warehouseAudit = (warehouse: Kysely<WarehouseTables>): Db => warehouse.withSchema('sync') as unknown as Db

/**
 * Records and executes a command's change to the warehouse or its snapshots. The audit entry is written before the
 * change, so that it survives a crash; the change may take hours and many transactions. If the change is rejected, a
 * second entry records the error code.
 */
export async function auditedInWarehouse<Result>(
  warehouse: Kysely<WarehouseTables>,
  change: { action: string; target: string; details?: object },
  work: () => Promise<Result>,
): Promise<Result> {
  const log = warehouseAudit(warehouse)
  await recordAudit(log, cliActor(), { ...change, result: 'started' })
  await sql`select sync.prune_audit()`.execute(warehouse)
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) await recordAudit(log, cliActor(), { ...change, result: error.code })
    throw error
  }
}
