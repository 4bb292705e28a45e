import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import type { ApiKey as StoredKey } from '../../auth/api-keys.ts'
import { createApiKey, listApiKeys, revokeClientKey } from '../../auth/api-keys.ts'
import { requireScope } from '../../auth/scopes.ts'
import { ApiKey, ApiKeyList, CreatedApiKey, NewApiKey } from '../../contract/keys.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** Routes for the API keys of the caller's client. These routes are talhouse extensions. */
export function keyRoutes(api: App, { db }: AppDeps): void {
  const tags = ['keys']
  const config = { scope: 'admin' } as const

  api.get(
    '/v2/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'List API keys',
        description: "Returns the client's keys, including revoked keys, without their secrets.",
        response: { 200: ApiKeyList },
      },
    },
    async ({ caller }) => ({ keys: (await listApiKeys(db, caller.clientId)).map(shown) }),
  )

  api.post(
    '/v2/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'createKey',
        summary: 'Create an API key',
        description:
          'Creates a key for the client. The secret key is returned only in this response. Only callers with the `clients` scope can grant that scope.',
        body: NewApiKey,
        response: { 200: CreatedApiKey },
      },
    },
    async (request) => {
      const { clientId } = request.caller
      // The `clients` scope affects other clients, so only a key with that scope can grant it.
      if (request.body.scopes.includes('clients')) requireScope(request.caller, 'clients')
      const { label, scopes, expires_at: expires } = request.body
      // The time is converted to UTC, because PostgreSQL rejects some offsets that ISO 8601 allows.
      const key = { label, scopes, expires_at: expires ? new Date(expires).toISOString() : undefined }
      const details = ({ key_id }: StoredKey) => ({ key_id, label, scopes })
      const change = { action: 'key.create', target: clientId, details }
      const created = await audited(db, actorOf(request), change, (trx) => createApiKey(trx, clientId, key))
      return { ...shown(created), key: created.key }
    },
  )

  api.delete(
    '/v2/keys/:key_id',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeKey',
        summary: 'Revoke an API key',
        description:
          'Revokes a key of the client. The key stops working within 15 seconds; its sessions end immediately.',
        params: Type.Object({ key_id: Type.String({ description: 'Key ID.' }) }),
        response: { 200: ApiKey, ...errorReplies(404) },
      },
    },
    async (request) => {
      const { clientId } = request.caller
      const { key_id } = request.params
      const change = { action: 'key.revoke', target: clientId, details: () => ({ key_id }) }
      return shown(await audited(db, actorOf(request), change, (trx) => revokeClientKey(trx, clientId, key_id)))
    },
  )
}

const shown = ({ client_id: _, scopes, ...key }: StoredKey) => ({ ...key, scopes: [...scopes] })
