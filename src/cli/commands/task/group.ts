import type { CommandModule } from 'yargs'
import type { Db } from '../../../db/database.ts'
import { sleep } from '../../../lib/backoff.ts'
import { readResult } from '../../../tasks/read-result.ts'
import { clientOfTask, readTask } from '../../../tasks/read-task.ts'
import type { Command, CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRecord, formatRows } from '../../support/output.ts'

type OfTask = CommonArguments & { task_id: string }

const showCommand: CommandModule<object, OfTask> = {
  command: 'show <task_id>',
  describe: 'A task, and what came of it so far',
  builder: (cli) => cli.positional('task_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    await show(command, service.db, args.task_id)
    return undefined
  }),
}

const waitCommand: CommandModule<object, OfTask> = {
  command: 'wait <task_id>',
  describe: 'Wait until a task has ended, and show it; fails when the task failed',
  builder: (cli) => cli.positional('task_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    const { out, signal } = command
    await using service = await openService(command)
    const clientId = await clientOfTask(service.db, args.task_id)
    let shown = -1
    for (;;) {
      const task = await readTask(service.db, clientId, args.task_id)
      const percent = Math.floor(task.progress * 100)
      if (percent !== shown) out.note(`${task.status}: ${percent} %`)
      shown = percent
      if (task.completed_at !== null) break
      await sleep(500, signal)
    }
    const status = await show(command, service.db, args.task_id)
    return status === 'failed' ? EXIT.failed : undefined
  }),
}

async function show({ out }: Command, db: Db, taskId: string): Promise<string> {
  const clientId = await clientOfTask(db, taskId)
  const { output_data, input_data, ...task } = await readResult(db, clientId, taskId)
  out.result({ client_id: clientId, ...task, input_data, output_data }, () => {
    const lines = Object.entries(output_data ?? {}).flatMap(([name, rows]) =>
      Array.isArray(rows) && rows.length > 0 ? [`\n${name}`, formatRows(rows as object[] as [], 'table')] : [],
    )
    return [formatRecord({ client_id: clientId, ...task }), ...lines].join('\n')
  })
  return task.status
}

export const taskCommand: CommandModule = {
  command: 'task <command>',
  describe: 'Show a task, or wait for its end',
  builder: (cli) =>
    cli
      .command([showCommand, waitCommand] as CommandModule[])
      .demandCommand(1, 'Say what to do: `talhouse task --help` lists the commands.'),
  handler: () => undefined,
}
