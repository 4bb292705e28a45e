import type { Verifiable } from '../../../pipelines/compare/difference.ts'
import { repair as repairPipeline } from '../../../pipelines/repair/pipeline.ts'
import type { Handler } from '../support/definition.ts'
import { runOnce } from '../support/run-once.ts'

export const repair: Handler<{ dataset: Verifiable }> = (command, { dataset }) =>
  runOnce(command, repairPipeline(dataset))
