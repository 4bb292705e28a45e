import type { Verifiable } from '../../../pipelines/compare/difference.ts'
import { repair as repairPipeline } from '../../../pipelines/repair/pipeline.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'
import { openPipelines } from '../support/pipeline-deps.ts'
import { runText } from '../support/run-text.ts'
import { runWithProgress } from '../support/run-with-progress.ts'

export const repair: Handler<{ dataset: Verifiable }> = async (command, { dataset }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  await using pipelines = await openPipelines(command, warehouse)
  const { run, error } = await runWithProgress(command, pipelines.deps, repairPipeline(dataset))
  command.out.result(run, () => runText(run))
  if (error) throw error
  return run.outcome === 'ok' ? EXIT.done : EXIT.degraded
}
