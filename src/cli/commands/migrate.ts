import { openService, openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'

export const migrate: Handler = async (command) => {
  await using service = await openService(command)
  await using warehouse = await openWarehouse(command)
  const names = {
    service: new URL(service.url).pathname.slice(1),
    warehouse: new URL(warehouse.url).pathname.slice(1),
  }
  command.out.result({ migrated: names }, () => `Up to date: ${names.service}, ${names.warehouse}.`)
}
