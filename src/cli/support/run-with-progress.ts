import type { Pipeline, PipelineDeps } from '../../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../../pipelines/runner/runs.ts'
import type { Command } from './command.ts'
import { createProgress } from './progress.ts'

/** Runs a pipeline with a progress bar. Returns the recorded run and the error that ended it. */
export async function runWithProgress(
  { json, signal }: Command,
  deps: PipelineDeps,
  pipeline: Pipeline,
): Promise<{ run: Run; error?: unknown }> {
  const progress = createProgress(pipeline.name, json)
  return await runPipeline(deps, pipeline, {
    requestedBy: 'command',
    signal,
    onProgress: progress.update,
  }).finally(progress.stop)
}
