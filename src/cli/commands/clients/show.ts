import { findClient } from '../../../auth/clients.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRecord } from '../../support/output.ts'

export const show: Handler<{ client_id: string }> = async (command, { client_id: clientId }) => {
  await using service = await openService(command)
  const client = await findClient(service.db, clientId)
  command.out.result(client, () => formatRecord({ ...client }))
}
