import type { HistoryEvent, HistoryPage } from '../contract/history.ts'
import type {
  ErasedPerson,
  FoundPerson,
  PERSON_BATCH_GROUPS,
  Person,
  PersonBatch,
  PersonGroup,
  PersonPage,
  PersonQuery,
  PersonSearch,
} from '../contract/persons.ts'
import type { HistoryInput } from './companies.ts'
import { historyPages } from './companies.ts'
import type { Include, Input, WithInclude } from './input.ts'
import type { RequestOptions, Send } from './options.ts'
import type { Paged } from './paged.ts'
import { pagedByOffset } from './paged.ts'
import { pathOf } from './path.ts'

export type PersonInput = Input<WithInclude<PersonQuery, PersonGroup>>
export type PersonSearchInput = Input<WithInclude<PersonSearch, PersonGroup>>

export interface PersonBatchInput {
  /** Domains or URLs of the companies, at most 100. */
  domains: readonly string[]
  include?: Include<(typeof PERSON_BATCH_GROUPS)[number]> | undefined
}

/** `id` is the `person_id` or the `email_hash`. */
export interface PersonsClient {
  /** Gets a person. Free. Throws ApiError with status 404 for an unknown person. */
  get(id: string, query?: PersonInput, options?: RequestOptions): Promise<Person>
  /** Searches for persons. The results contain a subset of the fields. Free. */
  search(query?: PersonSearchInput, options?: RequestOptions): Paged<PersonPage, FoundPerson>
  /** Gets the first 50 people at each of up to 100 companies. Unknown domains are listed in `not_found`. Free. */
  batchRead(body: PersonBatchInput, options?: RequestOptions): Promise<PersonBatch>
  /** Changes to a person, newest first by default. Free. */
  history(id: string, query?: HistoryInput, options?: RequestOptions): Paged<HistoryPage, HistoryEvent>
  /** Erases a person for all clients and suppresses the person in future enrichments. Requires the `admin` scope. */
  erase(id: string, options?: RequestOptions): Promise<ErasedPerson>
}

export const personsClient = (send: Send): PersonsClient => ({
  get: (id, query = {}, options) => send({ method: 'GET', path: pathOf('v2', 'persons', id), query }, options),
  search: (query = {}, options) =>
    pagedByOffset(
      query.offset,
      (offset) => send<PersonPage>({ method: 'GET', path: '/v2/persons', query: { ...query, offset } }, options),
      ({ persons }) => persons,
    ),
  batchRead: ({ domains, include }, options) =>
    send(
      {
        method: 'POST',
        path: '/v2/persons/batch-read',
        body: { domains, include: include?.join(',') },
        repeatable: true,
      },
      options,
    ),
  history: (id, query, options) => historyPages(send, pathOf('v2', 'persons', id, 'history'), query, options),
  erase: (id, options) => send({ method: 'DELETE', path: pathOf('v2', 'persons', id), repeatable: true }, options),
})
