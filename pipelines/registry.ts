import { AppError } from '../src/lib/errors.ts'
import { NIGHTLY_STEPS, nightly } from './nightly.ts'
import type { Pipeline } from './runner/pipeline.ts'

/** Every pipeline that `talhouse run` and the schedule know: the steps of a night in their order, and the night itself. */
export const PIPELINES: readonly Pipeline[] = [...NIGHTLY_STEPS, nightly]

export function findPipeline(name: string): Pipeline {
  const found = PIPELINES.find((pipeline) => pipeline.name === name)
  if (found) return found
  const names = PIPELINES.map((pipeline) => pipeline.name).join(', ')
  throw new AppError('not_found', `There is no pipeline ${name}. Available: ${names}.`)
}
