import { openService } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { workUntilStopped } from '../support/work-service.ts'

export const work: Handler = async (command) => {
  await using service = await openService(command)
  command.out.note(`Processing up to ${command.config.work.concurrency} companies at once. Press Ctrl-C to stop.`)
  await workUntilStopped(command, service)
}
