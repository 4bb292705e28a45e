import { audited } from '../../../audit/audit-log.ts'
import type { ApiKey } from '../../../auth/api-keys.ts'
import { createApiKey } from '../../../auth/api-keys.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { pointInTime } from '../../support/duration.ts'

interface Arguments {
  client_id: string
  label: string | undefined
  scopes: Scope[] | undefined
  expires: string | undefined
}

export const createKey: Handler<Arguments> = async (command, { client_id: clientId, label, scopes, expires }) => {
  const key = {
    label,
    scopes: scopes && [...new Set(scopes)],
    expires_at: expires === undefined ? undefined : pointInTime(expires, '--expires', 1),
  }
  await using service = await openService(command)
  const details = ({ key_id, scopes, expires_at }: ApiKey) => ({ key_id, scopes, expires_at })
  const created = await audited(service.db, cliActor(), { action: 'key.create', target: clientId, details }, (trx) =>
    createApiKey(trx, clientId, key),
  )
  command.out.note(`API key of ${created.client_id}. It is not shown again:`)
  command.out.result(created, () => created.key)
}
