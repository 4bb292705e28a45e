import { runBackfill } from '../backfill/run-backfill.ts'
import { checks } from '../checks/pipeline.ts'
import { VERIFIABLE } from '../compare/difference.ts'
import { findPipeline } from '../registry.ts'
import { repair, verification } from '../repair/pipeline.ts'
import type { Pipeline } from '../runner/pipeline.ts'

/** Pipelines started by the `checks`, `verify` and `repair` commands. */
const MORE: readonly Pipeline[] = [checks, ...VERIFIABLE.flatMap((dataset) => [verification(dataset), repair(dataset)])]

/** A pipeline that a scheduler runs on request; `backfill-7` runs backfill 7. Throws `not_found`. */
export function findRequestable(name: string): Pipeline {
  const [, backfill] = /^backfill-(\d{1,15})$/.exec(name) ?? []
  if (backfill !== undefined) return runBackfill(Number(backfill))
  return MORE.find((pipeline) => pipeline.name === name) ?? findPipeline(name)
}
