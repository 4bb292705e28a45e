import { AppError } from '../src/lib/errors.ts'
import { enrichDue } from './enrich-due.ts'
import { exportSnapshot } from './export.ts'
import { firms } from './firms.ts'
import { history } from './history.ts'
import { nightly } from './nightly.ts'
import type { Pipeline } from './pipeline.ts'
import { staleness } from './staleness.ts'
import { talMembers } from './tal-members.ts'

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
