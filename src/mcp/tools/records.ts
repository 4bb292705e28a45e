import { Type } from 'typebox'
import { COMPANY_GROUPS, CompanySearch } from '../../contract/companies.ts'
import { FirmQuery } from '../../contract/firms.ts'
import { PERSON_GROUPS, PersonSearch } from '../../contract/persons.ts'
import type { Tool } from '../tool.ts'
import { tool } from '../tool.ts'

const closed = { additionalProperties: false } as const
const { include: _, limit: __, ...companyFilters } = CompanySearch.properties
const { include: ___, limit: ____, ...personFilters } = PersonSearch.properties

const PAGE = 10
const pageLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: PAGE, description: 'Maximum results.' }),
)
const groupsOf = (groups: readonly string[]) =>
  Type.Optional(
    Type.Array(Type.Unsafe<'all'>({ type: 'string', enum: [...groups, 'all'] }), {
      description: 'Field groups to add to the record.',
    }),
  )
export const domain = Type.String({ minLength: 1, maxLength: 2048, description: 'Company domain, such as acme.com.' })
export const personId = Type.String({ minLength: 1, maxLength: 100, description: 'person_id or email_hash.' })

/** Tools that read companies, people and firms. */
export const RECORD_TOOLS: readonly Tool[] = [
  tool({
    name: 'search_companies',
    title: 'Search companies',
    description: 'Finds stored companies by name, domain, place, industry or size. Free.',
    parameters: Type.Partial(Type.Object({ ...companyFilters, limit: pageLimit }), closed),
    isUntrusted: true,
    run: async (client, query, signal) => await client.companies.search({ limit: PAGE, ...query }, { signal }),
  }),
  tool({
    name: 'get_company',
    title: 'Get a company',
    description: 'Reads a stored company, with its leadership, signals and SEC registration on request. Free.',
    parameters: Type.Object({ domain, include: groupsOf(COMPANY_GROUPS) }, closed),
    isUntrusted: true,
    run: async (client, { domain, ...query }, signal) => await client.companies.get(domain, query, { signal }),
  }),
  tool({
    name: 'search_people',
    title: 'Search people',
    description: 'Finds stored people by name, company, title, seniority or department. Free.',
    parameters: Type.Partial(Type.Object({ ...personFilters, limit: pageLimit }), closed),
    isUntrusted: true,
    run: async (client, query, signal) => await client.persons.search({ limit: PAGE, ...query }, { signal }),
  }),
  tool({
    name: 'get_person',
    title: 'Get a person',
    description: 'Reads a stored person. Contact data is masked for API keys without the `contacts` scope. Free.',
    parameters: Type.Object({ person_id: personId, include: groupsOf(PERSON_GROUPS) }, closed),
    isUntrusted: true,
    run: async (client, { person_id, ...query }, signal) => await client.persons.get(person_id, query, { signal }),
  }),
  tool({
    name: 'query_firms',
    title: 'Query firms',
    description:
      "Queries the investment advisers on the SEC's rosters, and returns an exact count of the matches. Free.",
    parameters: FirmQuery,
    isUntrusted: true,
    run: async (client, body, signal) =>
      await client.request(
        { method: 'POST', path: '/firms', body: { limit: PAGE, ...body }, repeatable: true },
        { signal },
      ),
  }),
]
