import type { CommandModule } from 'yargs'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openService, openWarehouse } from '../support/databases.ts'

export const migrateCommand: CommandModule<object, CommonArguments> = {
  command: 'migrate',
  describe: 'Bring both databases up to the present schema',
  handler: run(async (command) => {
    await using service = await openService(command)
    await using warehouse = await openWarehouse(command)
    const addresses = {
      service: new URL(service.url).pathname.slice(1),
      warehouse: new URL(warehouse.url).pathname.slice(1),
    }
    command.out.result({ migrated: addresses }, () => `Up to date: ${addresses.service} and ${addresses.warehouse}.`)
    return undefined
  }),
}
