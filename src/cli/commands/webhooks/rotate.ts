import { audited } from '../../../audit/audit-log.ts'
import { findClient } from '../../../auth/clients.ts'
import { readSealingKeys } from '../../../webhooks/seal-secret.ts'
import { rotateSecret } from '../../../webhooks/secrets.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const rotate: Handler<{ client_id: string }> = async (command, { client_id: clientId }) => {
  const keys = readSealingKeys(command.config.secrets.webhook_keys)
  await using service = await openService(command)
  await findClient(service.db, clientId)
  const change = { action: 'webhook.rotate_secret', target: clientId }
  const secret = await audited(service.db, cliActor(), change, (trx) => rotateSecret(trx, clientId, keys))
  command.out.note('Webhooks are signed with both secrets for 24 hours.')
  command.out.result({ secret }, () => secret)
}
