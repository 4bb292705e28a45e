import { AppError } from '../src/lib/errors.ts'
import { NIGHTLY_STEPS, nightly } from './nightly.ts'
import type { Pipeline } from './runner/pipeline.ts'

/**
 * The pipelines available to `talhouse run` and the schedule: the steps of a nightly run in order, and the nightly run
 * itself.
 */
export const PIPELINES: readonly Pipeline[] = [...NIGHTLY_STEPS, nightly]

export function findPipeline(name: string): Pipeline {
  const found = PIPELINES.find((pipeline) => pipeline.name === name)
  if (found) return found
  const names = PIPELINES.map((pipeline) => pipeline.name).join(', ')
  throw new AppError('not_found', `Unknown pipeline ${name}. Available: ${names}.`)
}
