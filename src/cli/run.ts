import type { CommandModule } from 'yargs'
import type { Pipeline } from '../../pipelines/pipeline.ts'
import { findPipeline, PIPELINES } from '../../pipelines/registry.ts'
import type { Run } from '../../pipelines/state/runs.ts'
import { listSteps } from '../../pipelines/state/runs.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Command, CommonArguments } from './command.ts'
import { run } from './command.ts'
import { openWarehouse } from './databases.ts'
import { EXIT } from './exit-codes.ts'
import type { OpenPipelines } from './pipeline-deps.ts'
import { openPipelines } from './pipeline-deps.ts'
import { runText, stepsText } from './run-text.ts'
import { runWithProgress } from './run-with-progress.ts'

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
