import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Command } from './command.ts'
import { openWarehouse } from './databases.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT } from './exit-codes.ts'
import { openPipelines } from './pipeline-deps.ts'
import { runText } from './run-text.ts'
import { runWithProgress } from './run-with-progress.ts'

/** Runs a pipeline for a command and prints the recorded run. */
export async function runOnce(command: Command, pipeline: Pipeline): Promise<ExitCode> {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  await using pipelines = await openPipelines(command, warehouse)
  const { run, error } = await runWithProgress(command, pipelines.deps, pipeline)
  command.out.result(run, () => runText(run))
  if (error) throw error
  return run.outcome === 'ok' ? EXIT.done : EXIT.degraded
}
