import { AppError } from '../src/lib/errors.ts'
import { firms } from './firms.ts'
import type { Pipeline } from './pipeline.ts'

/** Every pipeline, in the order in which a night runs them. */
export const PIPELINES: readonly Pipeline[] = [firms]

export function findPipeline(name: string): Pipeline {
  const found = PIPELINES.find((pipeline) => pipeline.name === name)
  if (found) return found
  const names = PIPELINES.map((pipeline) => pipeline.name).join(', ')
  throw new AppError('not_found', `There is no pipeline called ${name}. There are: ${names}.`)
}
