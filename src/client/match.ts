import type { CompanyMatches, CompanyMatchRequest } from '../contract/match.ts'
import type { RequestOptions, Send } from './options.ts'

export type CompanyMatchInput = { [Field in keyof CompanyMatchRequest]: readonly CompanyMatchRequest[Field][number][] }

export interface MatchClient {
  /**
   * Matches up to 100 companies by name, domain, place or identifier, and returns the likelihood of each candidate.
   * Free.
   */
  companies(body: CompanyMatchInput, options?: RequestOptions): Promise<CompanyMatches>
}

export const matchClient = (send: Send): MatchClient => ({
  companies: (body, options) => send({ method: 'POST', path: '/v2/match/companies', body, repeatable: true }, options),
})
