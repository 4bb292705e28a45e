import { AppError } from '../src/lib/errors.ts'
import { enrichDue } from './enrich/pipeline.ts'
import { firms } from './firms/pipeline.ts'
import { history } from './history/pipeline.ts'
import { talMembers } from './members/pipeline.ts'
import { nightly } from './nightly.ts'
import type { Pipeline } from './runner/pipeline.ts'
import { exportSnapshot } from './snapshot/pipeline.ts'
import { staleness } from './staleness/pipeline.ts'

/** Every pipeline: the steps of a night in their order, and the night. */
export const PIPELINES: readonly Pipeline[] = [
  talMembers,
  firms,
  staleness,
  enrichDue,
  history,
  exportSnapshot,
  nightly,
]

export function findPipeline(name: string): Pipeline {
  const found = PIPELINES.find((pipeline) => pipeline.name === name)
  if (found) return found
  const names = PIPELINES.map((pipeline) => pipeline.name).join(', ')
  throw new AppError('not_found', `There is no pipeline called ${name}. There are: ${names}.`)
}
