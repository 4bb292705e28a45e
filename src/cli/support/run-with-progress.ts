import type { Pipeline, PipelineDeps } from '../../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../../pipelines/runner/runs.ts'
import type { Command } from './command.ts'
import { createProgress } from './progress.ts'

/** One run that somebody watches, to its end: the run as logged, and what was thrown. */
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
