import { audited } from '../../../audit/audit-log.ts'
import { revokeApiKey } from '../../../auth/api-keys.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const revokeKey: Handler<{ key_id: string }> = async (command, { key_id: keyId }) => {
  await using service = await openService(command)
  const change = { action: 'key.revoke', target: keyId }
  const key = await audited(service.db, cliActor(), change, (trx) => revokeApiKey(trx, keyId))
  command.out.result(key, () => `Revoked the key of ${key.client_id} ending in ${key.last_four}.`)
}
