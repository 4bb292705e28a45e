import { findPipeline } from '../../../../pipelines/registry.ts'
import type { Run } from '../../../../pipelines/runner/runs.ts'
import { listRuns } from '../../../../pipelines/runner/runs.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { openWarehouse } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'
import { secondsOf } from '../../support/run-text.ts'

interface Arguments {
  pipeline: string | undefined
  limit: number
}

export const list: Handler<Arguments> = async (command, { pipeline, limit }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  const runs = await listRuns(warehouse.db, { limit, ...(pipeline && { pipeline }) })
  if (pipeline && runs.length === 0) findPipeline(pipeline) // Throws if the name is unknown.
  command.out.result(runs, () =>
    runs.length > 0 ? formatRows(runs.map(summary), 'table') : 'No runs yet. Start one with `talhouse run firms`.',
  )
}

const summary = (run: Run) => ({
  run: run.id,
  pipeline: run.pipeline,
  outcome: run.outcome ?? run.state,
  started: run.started_at.slice(0, 19),
  seconds: secondsOf(run),
  inserted: run.inserted,
  updated: run.updated,
  unchanged: run.unchanged,
  gone: run.gone,
  quarantined: run.quarantined,
  requests: run.requests,
})
