import type { ClientUpdate, ServiceClient, ServiceClientList, UnitGrant, UnitsGranted } from '../contract/clients.ts'
import { randomKey } from './idempotency-key.ts'
import type { Input } from './input.ts'
import type { PaidOptions, RequestOptions, Send } from './options.ts'
import { pathOf } from './path.ts'

export type ClientUpdateInput = Input<ClientUpdate>

/** The clients of the service, for operators. Each call requires the `clients` scope. */
export interface ClientsClient {
  list(options?: RequestOptions): Promise<ServiceClientList>
  /** Updates the given fields of a client. */
  update(id: string, changes: ClientUpdateInput, options?: RequestOptions): Promise<ServiceClient>
  /**
   * Grants units, or withdraws granted units. Retries send the same idempotency key, so the units are granted only
   * once.
   */
  grant(id: string, body: UnitGrant, options?: PaidOptions): Promise<UnitsGranted>
}

export const clientsClient = (send: Send): ClientsClient => ({
  list: (options) => send({ method: 'GET', path: '/v2/clients' }, options),
  update: (id, body, options) => send({ method: 'POST', path: pathOf('v2', 'clients', id), body }, options),
  grant: (id, body, { idempotencyKey = randomKey(), repeatable = true, ...options } = {}) => {
    const headers = { 'idempotency-key': idempotencyKey }
    return send({ method: 'POST', path: pathOf('v2', 'clients', id, 'grants'), body, headers, repeatable }, options)
  },
})
