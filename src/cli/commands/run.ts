import { findPipeline } from '../../../pipelines/registry.ts'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import type { Run } from '../../../pipelines/runner/runs.ts'
import { listSteps } from '../../../pipelines/runner/runs.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { AppError } from '../../lib/errors.ts'
import { openAlerts } from '../support/alerts.ts'
import type { Command } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'
import type { OpenPipelines } from '../support/pipeline-deps.ts'
import { openPipelines } from '../support/pipeline-deps.ts'
import { runText, stepsText } from '../support/run-text.ts'
import { runWithProgress } from '../support/run-with-progress.ts'

export const run: Handler<{ pipelines: string[] }> = async (command, { pipelines: names }) => {
  const pipelines = names.map(findPipeline)
  const first = names[0] as string
  await using warehouse = await reportNotStarted(command, first, () => openWarehouse<WarehouseTables>(command))
  await using open = await reportNotStarted(command, first, () => openPipelines(command, warehouse))
  const results: object[] = []
  let isOk = true
  try {
    for (const pipeline of pipelines) {
      const { run: ended, error } = await runOne(command, open, pipeline)
      results.push(ended)
      isOk &&= ended.outcome === 'ok'
      if (error) throw error
    }
  } finally {
    // If a run fails, the preceding runs are still reported.
    if (command.json && results.length > 0) command.out.result(pipelines.length === 1 ? results[0] : results, () => '')
  }
  return isOk ? EXIT.done : EXIT.degraded
}

/**
 * Alerts operators about a run that failed before it was recorded, for example because the database was unreachable. A
 * run in progress is not a failure.
 */
async function reportNotStarted<Result>(
  command: Command,
  pipeline: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isInProgress = error instanceof AppError && error.code === 'conflict'
    if (!isInProgress && !command.signal.aborted) await openAlerts(command).runNotStarted(pipeline, error)
    throw error
  }
}

async function runOne(
  command: Command,
  { deps }: OpenPipelines,
  pipeline: Pipeline,
): Promise<{ run: Run & { steps?: Run[] }; error?: unknown }> {
  const { run, error } = await reportNotStarted(command, pipeline.name, () => runWithProgress(command, deps, pipeline))
  const steps = await listSteps(deps.warehouse.db, run.id)
  command.out.line([runText(run), stepsText(run, steps)].join('\n').trimEnd())
  return { run: { ...run, ...(steps.length > 0 && { steps }) }, error }
}
