import type { Static } from 'typebox'
import { Type } from 'typebox'
import { AppError } from '../lib/errors.ts'
import { pathOf } from './path.ts'
import type { RequestJson } from './request.ts'

/**
 * Responses of any host. List items are validated by the caller. `total`, `limit` and `offset` are optional, because the interface does
 * not define them for all lists.
 */
const envelope = {
  total: Type.Optional(Type.Unknown()),
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
}
const AnyRecord = Type.Record(Type.String(), Type.Unknown())
export type AnyRecord = Static<typeof AnyRecord>

const AnyPersons = Type.Object({ persons: Type.Array(Type.Unknown()), ...envelope })
const AnyEvents = Type.Object({ events: Type.Array(Type.Unknown()), ...envelope })
const AnyCompanies = Type.Object({ companies: Type.Array(Type.Unknown()), ...envelope })
export type AnyPersons = Static<typeof AnyPersons>
export type AnyEvents = Static<typeof AnyEvents>
export type AnyCompanies = Static<typeof AnyCompanies>

export interface HistoryPageQuery {
  /** Return changes after this `changed_at`. */
  since?: string | undefined
  limit?: number
  offset?: number
}

export interface CompaniesClient {
  /** `GET /v2/companies/{domain}`; undefined if not found. */
  get(
    domain: string,
    query?: { include?: string; include_provenance?: boolean },
    signal?: AbortSignal,
  ): Promise<AnyRecord | undefined>
  /** `GET /v2/companies/{domain}/persons` */
  persons(
    domain: string,
    query?: { include?: string; limit?: number; offset?: number },
    signal?: AbortSignal,
  ): Promise<AnyPersons>
  /** `GET /v2/companies/{domain}/history`, newest first. */
  history(domain: string, query?: HistoryPageQuery, signal?: AbortSignal): Promise<AnyEvents>
}

export interface PersonsClient {
  /** `GET /v2/persons/{email_hash}/history`, newest first. */
  history(emailHash: string, query?: HistoryPageQuery, signal?: AbortSignal): Promise<AnyEvents>
}

export interface TalClient {
  /** `GET /v2/clients/{client_id}/tal/companies`. `limit` and `offset` are extensions. */
  list(query?: { limit?: number; offset?: number }, signal?: AbortSignal): Promise<AnyCompanies>
  /** `POST /v2/clients/{client_id}/tal/companies` */
  add(domains: readonly string[], source?: string, signal?: AbortSignal): Promise<AnyRecord>
  /** `DELETE /v2/clients/{client_id}/tal/companies` */
  remove(domains: readonly string[], signal?: AbortSignal): Promise<AnyRecord>
}

export const companiesClient = (call: RequestJson): CompaniesClient => ({
  get: (domain, query, signal) =>
    call(AnyRecord, { method: 'GET', path: pathOf(['v2', 'companies', domain], query), signal }).catch(whenNotFound),
  persons: (domain, query, signal) =>
    call(AnyPersons, { method: 'GET', path: pathOf(['v2', 'companies', domain, 'persons'], query), signal }),
  history: (domain, query = {}, signal) =>
    call(AnyEvents, { method: 'GET', path: pathOf(['v2', 'companies', domain, 'history'], { ...query }), signal }),
})

export const personsClient = (call: RequestJson): PersonsClient => ({
  history: (emailHash, query = {}, signal) =>
    call(AnyEvents, { method: 'GET', path: pathOf(['v2', 'persons', emailHash, 'history'], { ...query }), signal }),
})

/** Adding and removing are idempotent and retried. */
export const talClient = (call: RequestJson, clientId = 'me'): TalClient => {
  const segments = ['v2', 'clients', clientId, 'tal', 'companies']
  return {
    list: (query, signal) => call(AnyCompanies, { method: 'GET', path: pathOf(segments, query), signal }),
    add: (domains, source, signal) =>
      call(AnyRecord, {
        method: 'POST',
        path: pathOf(segments),
        body: { domains, ...(source !== undefined && { source }) },
        repeatable: true,
        signal,
      }),
    remove: (domains, signal) =>
      call(AnyRecord, { method: 'DELETE', path: pathOf(segments), body: { domains }, repeatable: true, signal }),
  }
}

function whenNotFound(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined
  throw error
}
