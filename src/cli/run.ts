import type { CommandModule } from 'yargs'
import { findPipeline, PIPELINES } from '../../pipelines/registry.ts'
import { runPipeline } from '../../pipelines/run.ts'
import type { Run } from '../../pipelines/state/runs.ts'
import { listSteps } from '../../pipelines/state/runs.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { CommonArguments } from './command.ts'
import { run } from './command.ts'
import { openWarehouse } from './databases.ts'
import type { ExitCode } from './exit-codes.ts'
import { EXIT } from './exit-codes.ts'
import { openPipelines } from './pipeline-deps.ts'
import { createProgress } from './progress.ts'
import { runText, stepsText } from './run-text.ts'

export const runCommand: CommandModule<object, CommonArguments & { pipeline: string }> = {
  command: 'run <pipeline>',
  describe: 'Run a pipeline once, now',
  builder: (cli) =>
    cli.positional('pipeline', {
      type: 'string',
      demandOption: true,
      describe: PIPELINES.map(({ name, description }) => `${name}: ${description}`).join('\n'),
    }),
  handler: run(async (command, args) => {
    const pipeline = findPipeline(args.pipeline)
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    await using pipelines = await openPipelines(command, warehouse)
    const progress = createProgress(pipeline.name, command.json)
    const ended = await runPipeline(pipelines.deps, pipeline, {
      requestedBy: 'command',
      signal: command.signal,
      onProgress: progress.update,
    }).finally(progress.stop)
    const steps = await listSteps(warehouse.db, ended.run.id)
    command.out.result({ ...ended.run, ...(steps.length > 0 && { steps }) }, () =>
      [runText(ended.run), stepsText(ended.run, steps)].join('\n').trimEnd(),
    )
    if (ended.error) throw ended.error
    return exitOf(ended.run)
  }),
}

const exitOf = (ended: Run): ExitCode => (ended.outcome === 'ok' ? EXIT.done : EXIT.degraded)
