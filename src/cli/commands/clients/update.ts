import type { CommandModule, InferredOptionTypes } from 'yargs'
import { updateClient } from '../../../auth/clients.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { formatRecord } from '../../support/output.ts'
import { PLAN_OPTIONS, planOf } from '../../support/plan-options.ts'

type Arguments = CommonArguments &
  InferredOptionTypes<typeof PLAN_OPTIONS> & { client_id: string; name: string | undefined }

export const updateClientCommand: CommandModule<object, Arguments> = {
  command: 'update <client_id>',
  describe: 'Change what is given of a client; serving processes notice within seconds',
  builder: (cli) =>
    cli
      .positional('client_id', { type: 'string', demandOption: true })
      .option('name', { type: 'string', describe: 'For people' })
      .options(PLAN_OPTIONS),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const name = args.name === undefined ? {} : { name: args.name }
    const client = await updateClient(service.db, args.client_id, { ...name, ...planOf(args) })
    command.out.result(client, () => formatRecord({ ...client }))
    return undefined
  }),
}
