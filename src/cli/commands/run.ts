import type { CommandModule } from 'yargs'
import { findPipeline, PIPELINES } from '../../../pipelines/registry.ts'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import type { Run } from '../../../pipelines/runner/runs.ts'
import { listSteps } from '../../../pipelines/runner/runs.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Command, CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import { EXIT } from '../support/exit-codes.ts'
import type { OpenPipelines } from '../support/pipeline-deps.ts'
import { openPipelines } from '../support/pipeline-deps.ts'
import { runText, stepsText } from '../support/run-text.ts'
import { runWithProgress } from '../support/run-with-progress.ts'

export const runCommand: CommandModule<object, CommonArguments & { pipelines: string[] }> = {
  command: 'run <pipelines..>',
  describe: 'Run pipelines once, now, one after the other',
  builder: (cli) =>
    cli.positional('pipelines', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: PIPELINES.map(({ name, description }) => `${name}: ${description}`).join('\n'),
    }),
  handler: run(async (command, args) => {
    const pipelines = args.pipelines.map(findPipeline)
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    await using open = await openPipelines(command, warehouse)
    const told: object[] = []
    let isOk = true
    try {
      for (const pipeline of pipelines) {
        const { ended, error } = await runOne(command, open, pipeline)
        told.push(ended)
        isOk &&= ended.outcome === 'ok'
        if (error) throw error
      }
    } finally {
      // What ended before another failed is told as well.
      if (command.json && told.length > 0) command.out.result(pipelines.length === 1 ? told[0] : told, () => '')
    }
    return isOk ? EXIT.done : EXIT.degraded
  }),
}

/** One run to its end, told to a person. A night comes with its steps. */
async function runOne(
  command: Command,
  { deps }: OpenPipelines,
  pipeline: Pipeline,
): Promise<{ ended: Run & { steps?: Run[] }; error?: unknown }> {
  const { run, error } = await runWithProgress(command, deps, pipeline)
  const steps = await listSteps(deps.warehouse.db, run.id)
  command.out.line([runText(run), stepsText(run, steps)].join('\n').trimEnd())
  return { ended: { ...run, ...(steps.length > 0 && { steps }) }, error }
}
