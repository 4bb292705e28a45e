import { pluralize } from '../../src/lib/pluralize.ts'
import type { Pipeline, PipelineResult, RunContext } from '../runner/pipeline.ts'
import type { Check } from './check.ts'
import { isFailed } from './check.ts'
import { listChecks, listExpectations } from './expectations.ts'
import { runChecks } from './run-checks.ts'

/** Runs all checks as a pipeline, so that the console can request them from a scheduler. Violations degrade the run. */
export const checks: Pipeline = {
  name: 'checks',
  run: (context) => run(context, listChecks(context.settings.expectations)),
}

/** Checks the expectations as a step of the nightly run. */
export const expectations: Pipeline = {
  name: 'expectations',
  run: (context) => run(context, listExpectations(context.settings.expectations)),
}

async function run({ warehouse, progress, signal }: RunContext, list: readonly Check[]): Promise<PipelineResult> {
  const results = await runChecks(warehouse.db, list, signal)
  progress(results.length, results.length)
  return {
    reasons: results.filter(isFailed).map(({ name, failures, error }) => {
      // Omits the error, which may contain a value, because reasons are sent to alert receivers.
      const found = error === null ? pluralize(failures, 'violation') : 'its query failed'
      return `check failed: ${name} (${found})`
    }),
  }
}
