import { revokeApiKey } from '../../../auth/api-keys.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const revokeKey: Handler<{ key_id: string }> = async (command, { key_id: keyId }) => {
  await using service = await openService(command)
  const key = await revokeApiKey(service.db, keyId)
  command.out.result(key, () => `Revoked the key of ${key.client_id} ending in ${key.last_four}.`)
}
