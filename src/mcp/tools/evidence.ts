import { Type } from 'typebox'
import { CompanyHistoryQuery, PersonHistoryQuery } from '../../contract/history.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tool } from '../tool.ts'
import { tool } from '../tool.ts'
import { domain, personId } from './records.ts'

const closed = { additionalProperties: false } as const
const record = { domain: Type.Optional(domain), person_id: Type.Optional(personId) }
const { since } = CompanyHistoryQuery.properties
const fields = [CompanyHistoryQuery, PersonHistoryQuery].flatMap(
  ({ properties }) => (properties.field as unknown as { enum: string[] }).enum,
)

const PAGE = 20

/** Calls one of two functions, depending on which of `domain` and `person_id` is given. */
async function either<Result>(
  { domain, person_id }: { domain?: string | undefined; person_id?: string | undefined },
  ofCompany: (domain: string) => PromiseLike<Result>,
  ofPerson: (id: string) => PromiseLike<Result>,
): Promise<Result> {
  if (domain !== undefined && person_id === undefined) return await ofCompany(domain)
  if (person_id !== undefined && domain === undefined) return await ofPerson(person_id)
  throw new AppError('unprocessable', 'Pass either `domain` or `person_id`.')
}

/** Tools that return the sources and the history of values. */
export const EVIDENCE_TOOLS: readonly Tool[] = [
  tool({
    name: 'get_provenance',
    title: 'Get provenance',
    description:
      'Returns the source, URL, date and confidence of each value in a company or person record, with alternatives. Free.',
    parameters: Type.Object(record, closed),
    isUntrusted: true,
    run: async (client, args, signal) =>
      await either(
        args,
        (domain) => client.companies.get(domain, { include_provenance: true }, { signal }).then(evidenceOf),
        (id) => client.persons.get(id, { include_provenance: true }, { signal }).then(evidenceOf),
      ),
  }),
  tool({
    name: 'get_history',
    title: 'Get history',
    description: 'Returns the changes to a company or person, newest first. Free.',
    parameters: Type.Object(
      {
        ...record,
        field: Type.Optional(
          Type.Unsafe<never>({
            type: 'string',
            enum: [...new Set(fields)],
            description: 'Return only changes to this field.',
          }),
        ),
        since,
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 200, default: PAGE, description: 'Maximum changes.' }),
        ),
      },
      closed,
    ),
    isUntrusted: true,
    run: async (client, { domain, person_id, ...query }, signal) =>
      await either(
        { domain, person_id },
        (domain) => client.companies.history(domain, { limit: PAGE, ...query }, { signal }),
        (id) => client.persons.history(id, { limit: PAGE, ...query }, { signal }),
      ),
  }),
]

const evidenceOf = ({ provenance, sources }: { provenance?: unknown; sources?: unknown }) => ({ provenance, sources })
