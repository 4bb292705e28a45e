import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { FirmQuery } from '../contract/firms.ts'
import type { RequestJson } from './request.ts'

/**
 * A page of firms as any host may send it. The records are not looked into: one that is odd must not cost the page its
 * other rows. `as_of` is talhouse's own.
 */
const AnyFirmPage = Type.Object({
  data: Type.Array(Type.Unknown()),
  total_count: Type.Optional(Type.Integer({ minimum: 0 })),
  as_of: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
export type AnyFirmPage = Static<typeof AnyFirmPage>

export interface FirmsClient {
  /** `POST /firms`: a read, and so sent again when its answer is lost. */
  query(query: FirmQuery, signal?: AbortSignal): Promise<AnyFirmPage>
}

export const firmsClient = (call: RequestJson): FirmsClient => ({
  query: (body, signal) => call(AnyFirmPage, { method: 'POST', path: '/firms', body, repeatable: true, signal }),
})
