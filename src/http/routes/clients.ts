import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import { updateClient } from '../../auth/clients.ts'
import { ClientUpdate, ServiceClient, ServiceClientList, UnitGrant, UnitsGranted } from '../../contract/clients.ts'
import { IdempotencyHeaders } from '../../contract/enrichment.ts'
import { once } from '../../tasks/once.ts'
import { listClientAccounts, readClientAccount } from '../../units/client-accounts.ts'
import { grantUnits } from '../../units/grant.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { requestIdempotency } from '../idempotency-key.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

const params = Type.Object({ client_id: Type.String({ description: 'ID of any client, or `me`.', examples: ['me'] }) })

/** Routes for operators to manage all clients, their plans and their units. These routes are talhouse extensions. */
export function clientRoutes(api: App, { db }: AppDeps): void {
  const tags = ['clients']
  const config = { scope: 'clients' } as const
  const idOf = ({ caller, params }: { caller: { clientId: string }; params: { client_id: string } }) =>
    params.client_id === 'me' ? caller.clientId : params.client_id

  api.get(
    '/v2/clients',
    {
      config,
      schema: {
        tags,
        operationId: 'listClients',
        summary: 'List clients',
        description: 'Returns all clients of the service with their plans and balances.',
        response: { 200: ServiceClientList },
      },
    },
    async () => ({ clients: await listClientAccounts(db) }),
  )

  api.post(
    '/v2/clients/:client_id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateClient',
        summary: 'Update a client',
        description:
          "Changes a client's name, plan or limits; omitted fields are unchanged. Changes take effect within 15 seconds; a plan's new units apply from the next period.",
        params,
        body: ClientUpdate,
        response: { 200: ServiceClient, ...errorReplies(404) },
      },
    },
    async (request) => {
      const clientId = idOf(request)
      const { trial_ends_at: end, ...plan } = request.body
      // The time is converted to UTC, because PostgreSQL rejects some offsets that ISO 8601 allows.
      const trialEnd = end === 'never' ? null : end && new Date(end).toISOString()
      const changes = { ...plan, ...(trialEnd !== undefined && { trial_ends_at: trialEnd }) }
      const change = { action: 'client.update', target: clientId, details: () => changes }
      await audited(db, actorOf(request), change, (trx) => updateClient(trx, clientId, changes))
      return await readClientAccount(db, clientId)
    },
  )

  api.post(
    '/v2/clients/:client_id/grants',
    {
      config,
      schema: {
        tags,
        operationId: 'grantUnits',
        summary: 'Grant units',
        description:
          "Adds units to a client's balance in addition to its plan, or withdraws granted units. With an Idempotency-Key, a repeated request grants the units only once.",
        params,
        headers: IdempotencyHeaders,
        body: UnitGrant,
        response: { 200: UnitsGranted, ...errorReplies(404) },
      },
    },
    async (request) => {
      const clientId = idOf(request)
      const { units, reason } = request.body
      const details = ({ isRepeated }: { isRepeated: boolean }) => (isRepeated ? null : { units, reason })
      const change = { action: 'units.grant', target: clientId, details }
      const grant = async (trx: typeof db) => ({
        client_id: clientId,
        units,
        units_remaining: await grantUnits(trx, { clientId, units, reason }),
      })
      const { response } = await audited(db, actorOf(request), change, (trx) =>
        once(trx, request.caller.clientId, requestIdempotency(request), () => grant(trx)),
      )
      return response
    },
  )
}
