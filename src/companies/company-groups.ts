import { sql } from 'kysely'
import type { Company, CompanyGroup, FormAdv, Leader, Signal } from '../contract/companies.ts'
import { FIRM_FIELD_NAMES } from '../contract/firm-fields.ts'
import type { Db } from '../db/database.ts'
import { prepared } from '../lib/prepared-statements.ts'

const MAX_LEADERS = 200
const MAX_SIGNALS = 100
const MAX_FIRMS = 100

/** Adds the requested groups to companies, with one query per group. */
export async function addGroups<Record extends Company>(
  db: Db,
  companies: readonly Record[],
  groups: ReadonlySet<CompanyGroup>,
): Promise<Record[]> {
  if (groups.size === 0 || companies.length === 0) return [...companies]
  const domains = companies.map(({ domain }) => domain)
  const [leadership, signals, formadv] = await Promise.all([
    groups.has('leadership') ? readLeadership(db, domains) : undefined,
    groups.has('signals') ? readSignals(db, domains) : undefined,
    groups.has('formadv') ? readFormAdv(db, domains) : undefined,
  ])
  return companies.map((company) => ({
    ...company,
    ...(formadv && { formadv: formadv.get(company.domain) ?? null }),
    ...(leadership && { leadership: leadership.get(company.domain) ?? [] }),
    ...(signals && { signals: signals.get(company.domain) ?? [] }),
  }))
}

/** Reads the current people of each company, most senior first, with the best evidence for each person. */
async function readLeadership(db: Db, domains: readonly string[]): Promise<Map<string, Leader[]>> {
  const [{ rows: people }, { rows: evidence }] = await Promise.all([
    sql<Omit<Leader, keyof Evidence> & { domain: string }>`${prepared}
      select given.domain, leader.*
      from unnest(${domains}::text[]) as given (domain)
      cross join lateral (
        select person_id, email_hash, full_name, first_name, last_name, title, seniority, department, email, email_status,
               email_confidence, social_url
        from person
        where person.company_domain = given.domain and left_at is null
        order by leadership_rank, email is null, full_name, person_id
        limit ${MAX_LEADERS}
      ) leader`.execute(db),
    sql<Evidence & { person_id: string }>`
      select distinct on (company_domain, person_id) person_id, confidence, source, url
      from person_observation
      where company_domain = any(${domains}::text[])
      order by company_domain, person_id, confidence desc, observed_at desc, source, ordinal`.execute(db),
  ])
  const byPerson = new Map(evidence.map(({ person_id, ...best }) => [person_id, best]))
  const none: Evidence = { confidence: null, source: null, url: null }
  return byDomain(people.map((person) => ({ ...person, ...(byPerson.get(person.person_id) ?? none) })))
}

type Evidence = Pick<Leader, 'confidence' | 'source' | 'url'>

async function readSignals(db: Db, domains: readonly string[]): Promise<Map<string, Signal[]>> {
  const { rows } = await sql<Signal & { domain: string }>`
    select domain, type, headline, date, url, source, confidence, about, first_seen_at
    from (
      select *, row_number() over (partition by domain order by date desc nulls last, signal_id) as place
      from signal where domain = any(${domains}::text[])
    ) story
    where place <= ${MAX_SIGNALS}
    order by domain, place`.execute(db)
  return byDomain(rows)
}

/**
 * Reads the firms in the latest roster, grouped by website domain. If only one firm has the domain, includes the fields
 * of that firm.
 */
async function readFormAdv(db: Db, domains: readonly string[]): Promise<Map<string, FormAdv>> {
  const firms = await db
    .selectFrom('firm')
    .select([...FIRM_FIELD_NAMES, 'as_of'])
    .where('website_domain', 'in', domains)
    .where('gone_as_of', 'is', null)
    .orderBy('crd_number')
    .execute()
  const grouped = Map.groupBy(firms, ({ website_domain }) => website_domain as string)
  return new Map(
    [...grouped].map(([domain, sharing]) => {
      const crd_numbers = sharing.slice(0, MAX_FIRMS).map(({ crd_number }) => crd_number)
      const only = sharing.length === 1 ? sharing[0] : {}
      return [domain, { firm_count: sharing.length, crd_numbers, ...only } as FormAdv]
    }),
  )
}

function byDomain<Item extends { domain: string }>(rows: Item[]): Map<string, Omit<Item, 'domain'>[]> {
  const grouped = Map.groupBy(rows, ({ domain }) => domain)
  return new Map([...grouped].map(([domain, items]) => [domain, items.map(({ domain: _, ...item }) => item)]))
}
