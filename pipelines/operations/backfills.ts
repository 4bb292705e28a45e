import type { Kysely } from 'kysely'
import type { Backfill, BackfillList, BackfillPlan } from '../../src/contract/warehouse-backfills.ts'
import { AppError } from '../../src/lib/errors.ts'
import { planBackfill } from '../backfill/plan.ts'
import type { Backfill as Stored } from '../backfill/store.ts'
import { listBackfills, moveTo, readBackfill, resetFailed, saveBackfill } from '../backfill/store.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { requestRun } from './runs.ts'

type Db = Kysely<WarehouseTables>

export const listAllBackfills = async (db: Db): Promise<BackfillList> => ({
  backfills: (await listBackfills(db)).map(describe),
})

/** Estimates a backfill and saves it. Throws `invalid_request`. */
export async function createBackfill(
  { db, settings }: { db: Db; settings: PipelineSettings },
  { dataset, from }: BackfillPlan,
): Promise<Backfill> {
  const plan = await planBackfill(db, dataset, { from, members: undefined }, settings)
  return describe(await readBackfill(db, await saveBackfill(db, plan)))
}

/** Requests the start of a planned, paused or failed backfill. Throws `not_found` or `conflict`. */
export async function startBackfill(db: Db, id: number): Promise<Backfill> {
  const { state } = await readBackfill(db, id)
  if (state === 'completed') throw new AppError('conflict', `Backfill ${id} is already completed.`)
  // One transaction writes the request and the state. Otherwise, a scheduler could read the request before the new
  // state, and would not resume the backfill.
  await db.transaction().execute(async (trx) => {
    await requestRun(trx, `backfill-${id}`)
    if (state === 'failed') await resetFailed(trx, id)
    if (state === 'paused') await moveTo(trx, id, 'running')
  })
  return describe(await readBackfill(db, id))
}

/** Pauses a backfill when its current part is complete. Throws `not_found` or `conflict`. */
export async function pauseBackfill(db: Db, id: number): Promise<Backfill> {
  const isPaused = await moveTo(db, id, 'paused')
  const backfill = await readBackfill(db, id)
  if (!isPaused) throw new AppError('conflict', `Backfill ${id} is already ${backfill.state}.`)
  return describe(backfill)
}

const describe = ({ lost_requests: _, lost_seconds: __, expected_so_far: ___, ...backfill }: Stored): Backfill =>
  backfill
