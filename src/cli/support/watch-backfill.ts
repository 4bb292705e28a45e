import type { Kysely } from 'kysely'
import { runBackfill } from '../../../pipelines/backfill/run-backfill.ts'
import { readBackfill } from '../../../pipelines/backfill/store.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../lib/errors.ts'
import type { Postgres } from '../../lib/postgres.ts'
import { backfillText } from './backfill-text.ts'
import type { Command } from './command.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT } from './exit-codes.ts'
import { openPipelines } from './pipeline-deps.ts'
import { runWithProgress } from './run-with-progress.ts'

/** Runs a backfill with a progress bar and prints its result. */
export async function watchBackfill(
  command: Command,
  warehouse: Postgres<WarehouseTables>,
  id: number,
): Promise<ExitCode> {
  await using pipelines = await openPipelines(command, warehouse)
  const { run, error } = await runWithProgress(command, pipelines.deps, runBackfill(id))
  const backfill = await readBackfill(warehouse.db, id)
  command.out.result(backfill, () => backfillText(backfill))
  if (error) throw error
  return run.outcome === 'ok' ? EXIT.done : EXIT.degraded
}

/** Throws if the backfill is paused, because only `resume` may start it again. */
export async function refusePaused(warehouse: Kysely<WarehouseTables>, id: number): Promise<void> {
  const { state } = await readBackfill(warehouse, id)
  if (state === 'paused')
    throw new AppError('conflict', `Backfill ${id} is paused. Resume it with \`talhouse backfill resume ${id}\`.`)
}
