import { findClient } from '../../../auth/clients.ts'
import { readSealingKeys } from '../../../webhooks/seal-secret.ts'
import { currentSecret } from '../../../webhooks/secrets.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'

export const showSecret: Handler<{ client_id: string }> = async (command, { client_id: clientId }) => {
  const keys = readSealingKeys(command.config.secrets.webhook_keys)
  await using service = await openService(command)
  await findClient(service.db, clientId)
  const secret = await currentSecret(service.db, clientId, keys, cliActor())
  command.out.result({ secret }, () => secret)
}
