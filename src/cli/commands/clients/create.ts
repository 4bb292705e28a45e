import type { CommandModule, InferredOptionTypes } from 'yargs'
import { createClient } from '../../../auth/clients.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { formatRecord } from '../../support/output.ts'
import { PLAN_OPTIONS, planOf } from '../../support/plan-options.ts'

type Arguments = CommonArguments & InferredOptionTypes<typeof PLAN_OPTIONS> & { name: string; id: string | undefined }

export const createClientCommand: CommandModule<object, Arguments> = {
  command: 'create <name>',
  describe: 'Make a client',
  builder: (cli) =>
    cli
      .positional('name', { type: 'string', demandOption: true, describe: 'For people' })
      .option('id', { type: 'string', describe: 'A readable id for paths; a uuid by default' })
      .options(PLAN_OPTIONS),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const id = args.id === undefined ? {} : { client_id: args.id }
    const client = await createClient(service.db, { name: args.name, ...id, ...planOf(args) })
    const next = `\n\nIts key: \`talhouse keys create ${client.client_id}\``
    command.out.result(client, () => formatRecord({ ...client }) + next)
    return undefined
  }),
}
