import type { Erasure, ErasureFeed, ErasureFeedQuery, ErasureRequest } from '../contract/privacy.ts'
import type { Input } from './input.ts'
import type { RequestOptions, Send } from './options.ts'

export type ErasureInput = Input<ErasureRequest>
export type ErasureFeedInput = Input<ErasureFeedQuery>

export interface PrivacyClient {
  /** Erases a person, specified by one identifier or by name and company. Requires the `admin` scope. */
  erase(person: ErasureInput, options?: RequestOptions): Promise<Erasure>
  /** Gets a page of erasures after position `since`, oldest first. Free. */
  erasures(query?: ErasureFeedInput, options?: RequestOptions): Promise<ErasureFeed>
}

export const privacyClient = (send: Send): PrivacyClient => ({
  erase: (body, options) => send({ method: 'POST', path: '/v2/privacy/erasures', body, repeatable: true }, options),
  erasures: (query = {}, options) => send({ method: 'GET', path: '/v2/privacy/erasures', query }, options),
})
