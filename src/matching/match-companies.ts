import { normalizeDomain } from '../companies/normalize-domain.ts'
import type { CompanyMatch, CompanyToMatch, MatchCandidate } from '../contract/match.ts'
import type { Db } from '../db/database.ts'
import type { Issue } from '../lib/errors.ts'
import { AppError } from '../lib/errors.ts'
import type { Query } from './candidate.ts'
import { findCandidates, nameWords } from './find-candidates.ts'
import type { Scored } from './likelihood.ts'
import { scoreCandidates, WEIGHTS } from './likelihood.ts'

/** Maximum number of candidates returned per company. */
const RETURNED = 5
/** Candidates below this likelihood are not returned. */
const UNLIKELY = 0.05

/**
 * Finds stored companies that the client may see. Throws `unprocessable` for entries with an invalid domain or without
 * a name, domain or identifier.
 */
export async function matchCompanies(
  db: Db,
  clientId: string,
  companies: readonly CompanyToMatch[],
): Promise<CompanyMatch[]> {
  const queries = await toQueries(db, companies)
  const candidates = await findCandidates(db, clientId, queries)
  return queries.map((query, place) => describe(scoreCandidates(query, candidates[place] ?? [])))
}

/** Validates the request and converts it to normalized queries. */
export async function toQueries(db: Db, companies: readonly CompanyToMatch[]): Promise<Query[]> {
  const issues: Issue[] = []
  const given = companies.map((company, place) => {
    const text = (value: string | null | undefined) => value?.trim() || undefined
    const query = {
      name: text(company.name),
      domain: domainOf(text(company.domain), place, issues),
      city: text(company.city),
      state: text(company.state),
      country: text(company.country),
      lei: text(company.lei),
      cik: text(company.cik),
      crd_number: company.crd_number ?? undefined,
    }
    if (!query.name && !company.domain && !query.lei && !query.cik && query.crd_number === undefined)
      issues.push({ path: `/companies/${place}`, message: 'has no name, domain, lei, cik or crd_number' })
    return query
  })
  if (issues.length > 0)
    throw new AppError('unprocessable', `Company ${issues[0]?.path.split('/')[2]}: ${issues[0]?.message}.`, { issues })
  const words = await nameWords(
    db,
    given.map(({ name }) => name ?? ''),
  )
  return given.map((query, place) => ({ ...query, words: words[place] ?? [] }))
}

function domainOf(text: string | undefined, place: number, issues: Issue[]): string | undefined {
  if (text === undefined) return undefined
  try {
    return normalizeDomain(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    issues.push({ path: `/companies/${place}/domain`, message: error.message })
    return undefined
  }
}

function describe(scored: readonly Scored[]): CompanyMatch {
  const best = scored[0]?.likelihood ?? 0
  const status = best >= WEIGHTS.matched ? 'matched' : best >= WEIGHTS.doubtful ? 'doubtful' : 'no_match'
  const candidates = status === 'no_match' ? [] : scored.filter(({ likelihood }) => likelihood >= UNLIKELY)
  return { status, candidates: candidates.slice(0, RETURNED).map(toReply) }
}

function toReply({ candidate, likelihood, matchedName, agreed, disagreed }: Scored): MatchCandidate {
  const { names: _, lei: __, cik: ___, ...fields } = candidate
  return {
    ...fields,
    matched_name: matchedName?.name ?? null,
    likelihood: Math.round(likelihood * 1e4) / 1e4,
    agreed,
    disagreed,
  }
}
