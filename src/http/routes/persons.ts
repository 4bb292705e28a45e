import { Type } from 'typebox'
import { readPersonBatch } from '../../companies/read-person-batch.ts'
import { HistoryPage, PersonHistoryQuery } from '../../contract/history.ts'
import {
  ErasedPerson,
  PERSON_BATCH_GROUPS,
  PERSON_BATCH_MAXIMUM,
  PERSON_GROUPS,
  Person,
  PersonBatch,
  PersonBatchRead,
  PersonPage,
  PersonQuery,
  PersonSearch,
} from '../../contract/persons.ts'
import { readPersonHistory } from '../../history/read-history.ts'
import { sum } from '../../lib/sum.ts'
import { isUuid } from '../../lib/uuid.ts'
import { findPersonRecord, readPerson } from '../../persons/read-person.ts'
import { searchPersons } from '../../persons/search-persons.ts'
import { erasePerson } from '../../privacy/erase-person.ts'
import { parseDescription } from '../../privacy/person-description.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { domainParameter } from '../domain-parameter.ts'
import { parseInclude } from '../include.ts'
import { errorReplies } from '../plugins/documented-errors.ts'
import { historyQueryError } from '../validation.ts'

const params = Type.Object({
  email_hash: Type.String({
    pattern: '^([0-9a-fA-F]{16}([0-9a-fA-F]{48})?|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
    description:
      'First 16 hex digits of the SHA-256 of the lowercased email address. All 64 digits are accepted, and required after a 409 (hash collision). A `person_id` is also accepted. talhouse extension.',
    examples: ['0123456789abcdef'],
  }),
})

/** Routes that read and erase persons. Free. */
export function personRoutes(api: App, { db, readStale, formAdvNames }: AppDeps): void {
  const tags = ['persons']

  api.get(
    '/v2/persons',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'searchPersons',
        summary: 'Search persons',
        description: 'Returns persons that match a name and the filters. Free.',
        querystring: PersonSearch,
        response: { 200: PersonPage, ...errorReplies(422) },
      },
    },
    async (request) => {
      const { include, company_domain, ...query } = request.query
      const company = company_domain === undefined ? {} : { company_domain: domainParameter(company_domain) }
      const groups = parseInclude(include, PERSON_GROUPS)
      return await readStale(request, ({ db }) => searchPersons(db, { ...query, ...company }, groups))
    },
  )

  api.post(
    '/v2/persons/batch-read',
    {
      config: { rateClass: 'read', scope: 'read' },
      schema: {
        tags,
        operationId: 'readPersons',
        summary: 'List persons at several companies',
        description: `Returns the first ${PERSON_BATCH_MAXIMUM.persons} current people at each of up to ${PERSON_BATCH_MAXIMUM.companies} companies, most senior first, with optional field groups. Free. talhouse extension.`,
        body: PersonBatchRead,
        response: { 200: PersonBatch },
      },
    },
    ({ body, caller }) =>
      readPersonBatch(db, body.domains, parseInclude(body.include, PERSON_BATCH_GROUPS), caller.clientId),
  )

  api.get(
    '/v2/persons/:email_hash',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getPerson',
        summary: 'Get a person',
        description: 'Returns a person by email_hash or person_id, with optional field groups and provenance. Free.',
        params,
        querystring: PersonQuery,
        response: { 200: Person, ...errorReplies(404, 409) },
      },
    },
    ({ params, query }) =>
      readPerson(db, params.email_hash, {
        groups: parseInclude(query.include, PERSON_GROUPS),
        provenance: query.include_provenance,
      }),
  )

  api.get(
    '/v2/persons/:email_hash/history',
    {
      schemaErrorFormatter: historyQueryError,
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getPersonHistory',
        summary: 'List person changes',
        description: 'Returns changes to person fields, newest first. Free.',
        params,
        querystring: PersonHistoryQuery,
        response: { 200: HistoryPage, ...errorReplies(404, 409, 422) },
      },
    },
    async ({ params, query }) => {
      const record = await findPersonRecord(db, params.email_hash)
      return {
        ...(await readPersonHistory(db, isUuid(params.email_hash) ? record : record.email_hash, query)),
        limit: query.limit,
        offset: query.offset,
      }
    },
  )

  api.delete(
    '/v2/persons/:email_hash',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        operationId: 'erasePerson',
        summary: 'Erase a person',
        description:
          'Erases a person at every company, including provenance, history and signals; redacts the person in tasks; and suppresses the person in future enrichments. Affects all clients.',
        params,
        response: { 200: ErasedPerson, ...errorReplies(404) },
      },
    },
    async (request) => {
      const { email_hash: id } = request.params
      const { emailHash, places } = await erasePerson(db, parseDescription(id), {
        actor: actorOf(request),
        formAdvNames,
      })
      const rows = (table: string) => sum(places.filter((place) => place.table === table).map((place) => place.rows))
      return { email_hash: emailHash, persons: rows('person'), events: rows('history_event'), signals: rows('signal') }
    },
  )
}
