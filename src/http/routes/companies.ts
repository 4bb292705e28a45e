import { addGroups } from '../../companies/company-groups.ts'
import { readProvenance } from '../../companies/company-provenance.ts'
import { readSourceAnswers } from '../../companies/provider-answers.ts'
import { readBatch } from '../../companies/read-batch.ts'
import { readCompany } from '../../companies/read-companies.ts'
import { searchCompanies } from '../../companies/search-companies.ts'
import {
  COMPANY_GROUPS,
  Company,
  CompanyBatch,
  CompanyBatchRead,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
} from '../../contract/companies.ts'
import { CompanyHistoryQuery, HistoryPage } from '../../contract/history.ts'
import { CompanyPersons, CompanyPersonsQuery, PERSON_GROUPS } from '../../contract/persons.ts'
import { readCompanyHistory } from '../../history/read-history.ts'
import { readCompanyPersons } from '../../persons/company-persons.ts'
import type { App, AppDeps } from '../deps.ts'
import { DomainParameter, domainParameter } from '../domain-parameter.ts'
import { parseInclude } from '../include.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import { historyQueryError } from '../validation.ts'

/** Routes that read companies. Free. */
export function companyRoutes(api: App, { db, readStale }: AppDeps): void {
  const tags = ['companies']
  const params = DomainParameter

  api.get(
    '/v2/companies/:domain',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getCompany',
        summary: 'Get a company',
        description: 'Returns a company by its domain, with optional field groups and provenance. Free.',
        params,
        querystring: CompanyQuery,
        response: { 200: Company, ...errorReplies(404) },
      },
    },
    async ({ caller, params, query }) => {
      const groups = parseInclude(query.include, COMPANY_GROUPS)
      const company = await readCompany(db, domainParameter(params.domain), caller.clientId)
      const [[full], provenance, sources] = await Promise.all([
        addGroups(db, [company], groups),
        query.include_provenance ? readProvenance(db, company.domain) : undefined,
        query.include_provenance ? readSourceAnswers(db, company.domain) : undefined,
      ])
      return { ...(full as Company), ...(provenance && { provenance }), ...(sources && { sources }) }
    },
  )

  api.get(
    '/v2/companies',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'searchCompanies',
        summary: 'Search companies',
        description:
          'Returns companies that match a name or domain and the filters, ordered by relevance or domain. Free.',
        querystring: CompanySearch,
        response: { 200: CompanyPage, ...errorReplies(422) },
      },
    },
    (request) => {
      const { include, ...query } = request.query
      const groups = parseInclude(include, COMPANY_GROUPS)
      return readStale(request, ({ db }) => searchCompanies(db, request.caller.clientId, query, groups))
    },
  )

  api.post(
    '/v2/companies/batch-read',
    {
      config: { rateClass: 'read', scope: 'read' },
      schema: {
        tags,
        operationId: 'readCompanies',
        summary: 'Get companies in a batch',
        description: 'Returns up to 200 companies by domain, with optional field groups. Free. talhouse extension.',
        body: CompanyBatchRead,
        response: { 200: CompanyBatch },
      },
    },
    ({ body, caller }) => readBatch(db, body.domains, parseInclude(body.include, COMPANY_GROUPS), caller.clientId),
  )

  api.get(
    '/v2/companies/:domain/persons',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getCompanyPersons',
        summary: 'List persons at a company',
        description: 'Returns the current people at a company, most senior first. Free.',
        params,
        querystring: CompanyPersonsQuery,
        response: { 200: CompanyPersons, ...errorReplies(404) },
      },
    },
    async ({ caller, params, query: { include, include_provenance: provenance, ...page } }) => {
      const groups = parseInclude(include, PERSON_GROUPS)
      const { domain } = await readCompany(db, domainParameter(params.domain), caller.clientId)
      return await readCompanyPersons(db, domain, { groups, provenance, ...page })
    },
  )

  api.get(
    '/v2/companies/:domain/history',
    {
      schemaErrorFormatter: historyQueryError,
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getCompanyHistory',
        summary: 'List company changes',
        description: 'Returns changes to company fields, newest first. Free.',
        params,
        querystring: CompanyHistoryQuery,
        response: { 200: HistoryPage, ...errorReplies(404, 422) },
      },
    },
    async ({ caller, params, query }) => {
      const { domain } = await readCompany(db, domainParameter(params.domain), caller.clientId)
      return { ...(await readCompanyHistory(db, domain, query)), limit: query.limit, offset: query.offset }
    },
  )
}
