import { serveRequests } from '../../../pipelines/operations/serve-requests.ts'
import { findPipeline } from '../../../pipelines/registry.ts'
import { nextDue } from '../../../pipelines/runner/schedule.ts'
import { runScheduler } from '../../../pipelines/runner/scheduler.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { guardAnalyst } from '../support/access/guard-analyst.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { openPipelines } from '../support/pipeline-deps.ts'

export const schedule: Handler = async (command) => {
  const settings = command.config.schedule
  const pipelines = settings.pipelines.map(findPipeline)
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  await using _guard = guardAnalyst(warehouse.urls, command.log)
  await using open = await openPipelines(command, warehouse)
  const next = nextDue(settings, await open.deps.clock.now()).toISOString()
  command.out.result(
    { pipelines: settings.pipelines, next_due: next },
    () => `Next run: ${settings.pipelines.join(', ')} at ${next}. Missed runs start now. Press Ctrl-C to stop.`,
  )
  await Promise.all([
    serveRequests(open.deps, command.signal),
    runScheduler(open.deps, settings, pipelines, command.signal),
  ])
}
