import type {
  Company,
  CompanyBatch,
  CompanyGroup,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
} from '../contract/companies.ts'
import type { HistoryEvent, HistoryPage, HistoryQuery } from '../contract/history.ts'
import type { CompanyPersons, CompanyPersonsQuery, Person, PersonGroup } from '../contract/persons.ts'
import type { Include, Input, WithInclude } from './input.ts'
import type { RequestOptions, Send } from './options.ts'
import type { Paged } from './paged.ts'
import { pagedByOffset } from './paged.ts'
import { pathOf } from './path.ts'

export type CompanyInput = Input<WithInclude<CompanyQuery, CompanyGroup>>
export type CompanySearchInput = Input<WithInclude<CompanySearch, CompanyGroup>>
export type CompanyPersonsInput = Input<WithInclude<CompanyPersonsQuery, PersonGroup>>
export type HistoryInput = Input<HistoryQuery>
export interface CompanyBatchInput {
  /** Domains or URLs, at most 200. */
  domains: readonly string[]
  include?: Include<CompanyGroup> | undefined
}

export interface CompaniesClient {
  /** Gets a company. Free. Throws ApiError with status 404 for an unknown domain. */
  get(domain: string, query?: CompanyInput, options?: RequestOptions): Promise<Company>
  /** Searches companies. Free. */
  search(query?: CompanySearchInput, options?: RequestOptions): Paged<CompanyPage, Company>
  /** Gets up to 200 companies. Unknown domains are listed in `not_found`. Free. */
  batchRead(body: CompanyBatchInput, options?: RequestOptions): Promise<CompanyBatch>
  /** The people at a company, most senior first. Free. */
  persons(domain: string, query?: CompanyPersonsInput, options?: RequestOptions): Paged<CompanyPersons, Person>
  /** Changes to a company, newest first by default. Free. */
  history(domain: string, query?: HistoryInput, options?: RequestOptions): Paged<HistoryPage, HistoryEvent>
}

export const companiesClient = (send: Send): CompaniesClient => ({
  get: (domain, query = {}, options) =>
    send({ method: 'GET', path: pathOf('v2', 'companies', domain), query }, options),
  search: (query = {}, options) =>
    pagedByOffset(
      query.offset,
      (offset) => send<CompanyPage>({ method: 'GET', path: '/v2/companies', query: { ...query, offset } }, options),
      ({ companies }) => companies,
    ),
  batchRead: ({ domains, include }, options) =>
    send(
      {
        method: 'POST',
        path: '/v2/companies/batch-read',
        body: { domains, include: include?.join(',') },
        repeatable: true,
      },
      options,
    ),
  persons: (domain, query = {}, options) =>
    pagedByOffset(
      query.offset,
      (offset) =>
        send<CompanyPersons>(
          { method: 'GET', path: pathOf('v2', 'companies', domain, 'persons'), query: { ...query, offset } },
          options,
        ),
      ({ persons }) => persons,
    ),
  history: (domain, query, options) => historyPages(send, pathOf('v2', 'companies', domain, 'history'), query, options),
})

/** Returns the history of a company or person. */
export const historyPages = (send: Send, path: string, query: HistoryInput = {}, options?: RequestOptions) =>
  pagedByOffset(
    query.offset,
    (offset) => send<HistoryPage>({ method: 'GET', path, query: { ...query, offset } }, options),
    ({ events }) => events,
  )
