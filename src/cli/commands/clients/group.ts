import type { CommandModule } from 'yargs'
import { findClient, listClients } from '../../../auth/clients.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { formatRecord, formatRows } from '../../support/output.ts'
import { createClientCommand } from './create.ts'
import { updateClientCommand } from './update.ts'

const listClientsCommand: CommandModule<object, CommonArguments> = {
  command: 'list',
  describe: 'List all clients',
  handler: run(async (command) => {
    await using service = await openService(command)
    const clients = await listClients(service.db)
    const columns = ['client_id', 'name', 'plan', 'units_per_period', 'period', 'trial_ends_at', 'created_at']
    command.out.result(clients, () =>
      clients.length > 0
        ? formatRows(
            clients.map((client) => ({ ...client })),
            'table',
            columns,
          )
        : 'No clients yet. Make one with `talhouse clients create NAME`.',
    )
    return undefined
  }),
}

const showClientCommand: CommandModule<object, CommonArguments & { client_id: string }> = {
  command: 'show <client_id>',
  describe: 'Show one client: its plan and its limits',
  builder: (cli) => cli.positional('client_id', { type: 'string', demandOption: true }),
  handler: run(async (command, args) => {
    await using service = await openService(command)
    const client = await findClient(service.db, args.client_id)
    command.out.result(client, () => formatRecord({ ...client }))
    return undefined
  }),
}

export const clientsCommand: CommandModule = {
  command: 'clients <command>',
  describe: 'Make, list and change clients: who may call, and on which plan',
  builder: (cli) =>
    cli
      .command([createClientCommand, listClientsCommand, showClientCommand, updateClientCommand] as CommandModule[])
      .demandCommand(1),
  handler: () => undefined,
}
