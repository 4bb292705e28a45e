import type { CommandModule } from 'yargs'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openService } from '../support/databases.ts'
import { workUntilStopped } from '../support/work-service.ts'

export const workCommand: CommandModule<object, CommonArguments> = {
  command: 'work',
  describe: 'Carry out tasks and deliver webhooks until stopped',
  handler: run(async (command) => {
    await using service = await openService(command)
    command.out.note(`Working on up to ${command.config.work.concurrency} companies at once. Ctrl-C stops it.`)
    await workUntilStopped(command, service)
    return undefined
  }),
}
