import { createApiKey } from '../../../auth/api-keys.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

interface Arguments {
  client_id: string
  label: string | undefined
}

export const createKey: Handler<Arguments> = async (command, { client_id: clientId, label }) => {
  await using service = await openService(command)
  const created = await createApiKey(service.db, clientId, label)
  command.out.note(`API key of ${created.client_id}. It is not shown again:`)
  command.out.result(created, () => created.key)
}
