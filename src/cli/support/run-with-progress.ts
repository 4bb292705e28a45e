import type { Pipeline, PipelineDeps } from '../../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../../pipelines/runner/runs.ts'
import type { Command } from './command.ts'
import { createProgress } from './progress.ts'
import { auditedInWarehouse } from './warehouse-audit.ts'

/**
 * Runs a pipeline with a progress bar, and writes an audit entry. Returns the recorded run and the error that ended it.
 */
export async function runWithProgress(
  { json, signal }: Command,
  deps: PipelineDeps,
  pipeline: Pipeline,
): Promise<{ run: Run; error?: unknown }> {
  const progress = createProgress(pipeline.name, json)
  const options = { requestedBy: 'command', signal, onProgress: progress.update } as const
  return await auditedInWarehouse(deps.warehouse.db, { action: 'run.start', target: pipeline.name }, () =>
    runPipeline(deps, pipeline, options),
  ).finally(progress.stop)
}
