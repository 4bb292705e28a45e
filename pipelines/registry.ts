import { AppError } from '../src/lib/errors.ts'
import type { Pipeline } from './runner/pipeline.ts'
import type { ListedPipeline } from './steps.ts'
import { NIGHTLY_STEPS, onDemand } from './steps.ts'

/**
 * The pipelines available to `talhouse run` and the schedule: the steps of a nightly run in order, and the nightly run
 * itself.
 */
export const PIPELINES: readonly ListedPipeline[] = [
  ...NIGHTLY_STEPS,
  onDemand('nightly', 'Run all steps of a nightly run in order', async () => (await import('./nightly.ts')).nightly),
]

export function findPipeline(name: string): Pipeline {
  const found = PIPELINES.find((pipeline) => pipeline.name === name)
  if (found) return found
  const names = PIPELINES.map((pipeline) => pipeline.name).join(', ')
  throw new AppError('not_found', `Unknown pipeline ${name}. Available: ${names}.`)
}
