import { AppError } from '../src/lib/errors.ts'
import { exportSnapshot } from './export.ts'
import { firms } from './firms.ts'
import { history } from './history.ts'
import type { Pipeline } from './pipeline.ts'
import { talMembers } from './tal-members.ts'

/** Every pipeline, in the order in which a night runs them. */
export const PIPELINES: readonly Pipeline[] = [talMembers, firms, history, exportSnapshot]

export function findPipeline(name: string): Pipeline {
  const found = PIPELINES.find((pipeline) => pipeline.name === name)
  if (found) return found
  const names = PIPELINES.map((pipeline) => pipeline.name).join(', ')
  throw new AppError('not_found', `There is no pipeline called ${name}. There are: ${names}.`)
}
