import { readUsage } from '../../../usage/read-usage.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRecord } from '../../support/output.ts'

export const showUnits: Handler<{ client_id: string }> = async (command, { client_id: clientId }) => {
  await using service = await openService(command)
  const usage = await readUsage(service.db, clientId)
  command.out.result(usage, () => formatRecord(usage))
}
