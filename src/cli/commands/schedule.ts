import type { CommandModule } from 'yargs'
import { findPipeline } from '../../../pipelines/registry.ts'
import { nextDue } from '../../../pipelines/runner/schedule.ts'
import { runScheduler } from '../../../pipelines/runner/scheduler.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import { openPipelines } from '../support/pipeline-deps.ts'

export const scheduleCommand: CommandModule<object, CommonArguments> = {
  command: 'schedule',
  describe: 'Run the pipelines whenever they are due, until stopped',
  handler: run(async (command) => {
    const { schedule } = command.config
    const pipelines = schedule.pipelines.map(findPipeline)
    await using warehouse = await openWarehouse<WarehouseTables>(command)
    await using open = await openPipelines(command, warehouse)
    const next = nextDue(schedule, new Date()).toISOString()
    command.out.result(
      { pipelines: schedule.pipelines, next_due: next },
      () => `Due next: ${schedule.pipelines.join(', ')} at ${next}. What was missed is run now. Ctrl-C stops it.`,
    )
    await runScheduler(open.deps, schedule, pipelines, command.signal)
    return undefined
  }),
}
