import { sql } from 'kysely'
import { isVisibleTo } from '../companies/visibility.ts'
import type { Db } from '../db/database.ts'
import type { Candidate, Query, StoredName } from './candidate.ts'
import { digits } from './features.ts'

/** Maximum number of candidates found by name for each query. */
const CANDIDATE_LIMIT = 60

/** A stored company (`domain`) or firm (`crd_number`) found for the query at index `place`. */
interface Hit {
  place: number
  domain: string | null
  crd_number: number | null
}

interface CompanyRow {
  domain: string
  crd_number: number | null
  name: string | null
  legal_name: string | null
  city: string | null
  state: string | null
  country: string | null
  names: StoredName[]
}

interface FirmRow extends Omit<CompanyRow, 'domain'> {
  domain: string | null
  crd_number: number
  lei: string | null
  cik: string | null
}

/** Splits each name into words in the same way as the search index. */
export async function nameWords(db: Db, names: readonly string[]): Promise<string[][]> {
  if (names.length === 0) return []
  const { rows } = await sql<{ words: string[] | null }>`
    select name_words(name) as words from unnest(${names}::text[]) with ordinality as given (name, place) order by place`.execute(
    db,
  )
  return rows.map(({ words }) => words ?? [])
}

/** Finds the stored companies that may match each query. A registered firm and its company form one candidate. */
export async function findCandidates(db: Db, clientId: string, queries: readonly Query[]): Promise<Candidate[][]> {
  const hits = await findHits(db, queries)
  const companies = await readCompanies(db, clientId, [...new Set(hits.flatMap(({ domain }) => domain ?? []))])
  const numbers = hits.flatMap(({ domain, crd_number }) => {
    const number = domain === null ? crd_number : companies.get(domain)?.crd_number
    return number ?? []
  })
  const firms = await readFirms(db, [...new Set(numbers)])
  const candidateOf = ({ domain, crd_number }: Hit): Candidate | undefined => {
    const company = domain === null ? undefined : companies.get(domain)
    const firm = firms.get((domain === null ? crd_number : company?.crd_number) ?? 0)
    if (firm) return firm
    return company && { ...company, lei: null, cik: null }
  }
  const byPlace = Map.groupBy(hits, ({ place }) => place)
  return queries.map((_, place) => {
    const candidates = new Set((byPlace.get(place) ?? []).flatMap((hit) => candidateOf(hit) ?? []))
    return withoutGroups([...candidates])
  })
}

/**
 * Drops a company if several firms share its domain and one of them is a candidate, because the likelihood would
 * otherwise be split between the company and the firm.
 */
function withoutGroups(candidates: readonly Candidate[]): Candidate[] {
  const ofFirms = new Set(candidates.flatMap(({ crd_number, domain }) => (crd_number === null ? [] : [domain])))
  return candidates.filter(({ crd_number, domain }) => crd_number !== null || !ofFirms.has(domain))
}

async function findHits(db: Db, queries: readonly Query[]): Promise<Hit[]> {
  const places = queries.map((_, place) => place)
  const { rows } = await sql<Hit>`
    with query as materialized (
      select * from unnest(${places}::integer[], ${queries.map(({ name }) => name ?? null)}::text[],
        ${queries.map(({ domain }) => domain ?? null)}::text[], ${queries.map(({ lei }) => lei?.toUpperCase() ?? null)}::text[],
        ${queries.map(({ cik }) => (cik === undefined ? null : digits(cik)))}::text[],
        ${queries.map(({ crd_number }) => crd_number ?? null)}::integer[]
      ) as given (place, name, domain, lei, cik, crd_number)
    )
    select place, found.domain, found.crd_number
    from query, match_candidates(query.name, ${CANDIDATE_LIMIT}) as found where query.name is not null
    union
    select place, domain, null from query where domain is not null
    union
    select place, null, firm.crd_number from query join firm on firm.website_domain = query.domain and gone_as_of is null
    union
    select place, null, firm.crd_number from query join firm on firm.lei = query.lei and gone_as_of is null
    union
    select place, null, firm.crd_number from query
    join firm on firm.cik_number in (query.cik, lpad(query.cik, 10, '0')) and gone_as_of is null
    union
    select place, null, firm.crd_number from query join firm on firm.crd_number = query.crd_number and gone_as_of is null
    order by 1, 2, 3`.execute(db)
  return rows
}

/** SQL for a record's distinct names with their words. */
const namesOf = (current: string, former: string) => sql<StoredName[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'words', words, 'isFormer', is_former)), '[]')
  from (
    select distinct on (words) name, words, is_former
    from (
      select name, false as is_former, place from unnest(${sql.raw(current)}) with ordinality as current_name (name, place)
      union all
      select name, true, place from unnest(${sql.raw(former)}) with ordinality as former_name (name, place)
    ) as each_name, name_words(name) as words
    where words is not null
    order by words, is_former, place
  ) as distinct_name)`

async function readCompanies(db: Db, clientId: string, domains: string[]): Promise<Map<string, CompanyRow>> {
  if (domains.length === 0) return new Map()
  const { rows } = await sql<CompanyRow>`
    select domain, crd_number, name, legal_name, headquarters_city as city, headquarters_state as state,
      headquarters_country as country, ${namesOf('array[legal_name, name]', 'company.former_names')} as names
    from company where domain = any(${domains}::text[]) and ${isVisibleTo(clientId)}`.execute(db)
  return new Map(rows.map((row) => [row.domain, row]))
}

/**
 * Reads current firms. Adds the names of a domain's company if exactly one firm has the domain. A firm's company is
 * always public, so no visibility check is needed.
 */
async function readFirms(db: Db, numbers: number[]): Promise<Map<number, FirmRow>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<FirmRow>`
    select firm.website_domain as domain, firm.crd_number, coalesce(company.name, firm.business_name) as name,
      firm.legal_name, firm.city, firm.state, firm.country, firm.lei, firm.cik_number as cik,
      ${namesOf('array[firm.legal_name, firm.business_name, company.name, company.legal_name]', 'firm.former_names || company.former_names')} as names
    from firm left join company on company.domain = firm.website_domain and company.crd_number = firm.crd_number
    where firm.crd_number = any(${numbers}::integer[]) and gone_as_of is null`.execute(db)
  return new Map(rows.map((row) => [row.crd_number, row]))
}
