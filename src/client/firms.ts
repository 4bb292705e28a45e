import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { FirmQuery } from '../contract/firms.ts'
import type { RequestJson } from './request.ts'

/**
 * A page of firms from any host. Records are not validated, so that one invalid record does not reject the page. `as_of` is a talhouse
 * extension.
 */
const AnyFirmPage = Type.Object({
  data: Type.Array(Type.Unknown()),
  total_count: Type.Optional(Type.Integer({ minimum: 0 })),
  as_of: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
export type AnyFirmPage = Static<typeof AnyFirmPage>

export interface FirmsClient {
  /** `POST /firms`: a read, retried after a lost response. */
  query(query: FirmQuery, signal?: AbortSignal): Promise<AnyFirmPage>
}

export const firmsClient = (call: RequestJson): FirmsClient => ({
  query: (body, signal) => call(AnyFirmPage, { method: 'POST', path: '/firms', body, repeatable: true, signal }),
})
