import { CompanyMatches, CompanyMatchRequest } from '../../contract/match.ts'
import { matchCompanies } from '../../matching/match-companies.ts'
import type { App, AppDeps } from '../deps.ts'

/** Finds companies by name, place and identifiers. Free. */
export function matchRoutes(api: App, { db }: AppDeps): void {
  api.post(
    '/v2/match/companies',
    {
      config: { rateClass: 'read', scope: 'read' },
      schema: {
        tags: ['companies'],
        operationId: 'matchCompanies',
        summary: 'Match companies',
        description:
          'Finds up to 100 companies by name, domain, place or identifier among all stored companies and registered firms, with the likelihood of each candidate. Free. talhouse extension.',
        body: CompanyMatchRequest,
        response: { 200: CompanyMatches },
      },
    },
    async ({ body, caller }) => ({ matches: await matchCompanies(db, caller.clientId, body.companies) }),
  )
}
