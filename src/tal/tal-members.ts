import { sql } from 'kysely'
import { normalizeDomains } from '../companies/normalize-domain.ts'
import { readCompanies, unknownCompany } from '../companies/read-companies.ts'
import type { TalAdded, TalAddition, TalPage, TalQuery, TalRemoved } from '../contract/tal.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { FoundMembers } from './find-members.ts'
import { findMembers } from './find-members.ts'

/** A page of a client's list. */
export async function listMembers(
  db: Db,
  clientId: string,
  { freshDays, ...query }: TalQuery & { freshDays: number },
): Promise<TalPage> {
  const { limit, offset, ...filters } = query
  const { members, total } =
    Object.keys(filters).length > 0
      ? await findMembers(db, clientId, { ...query, freshDays })
      : await pageByDomain(db, clientId, query)
  // Uses two queries, because lists are distributed by client and companies by domain.
  const companies = await readCompanies(
    db,
    members.map(({ domain }) => domain),
    clientId,
  )
  const entries = members.map(({ domain, source, added_at }) => ({
    ...(companies.get(domain) ?? unknownCompany(domain, added_at)),
    source,
    added_at,
  }))
  return { companies: entries, total, fresh_days: freshDays, limit, offset }
}

async function pageByDomain(db: Db, clientId: string, { limit, offset }: TalQuery): Promise<FoundMembers> {
  const ofClient = db.selectFrom('tal_member').where('client_id', '=', clientId)
  const [members, { total }] = await Promise.all([
    ofClient.select(['domain', 'source', 'added_at']).orderBy('domain').limit(limit).offset(offset).execute(),
    ofClient.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { members, total }
}

/**
 * Adds companies to a client's list. Companies already on the list keep their tag. The response lists rejected inputs.
 * Throws `unprocessable` if none of the inputs is a domain.
 */
export async function addMembers(
  db: Db,
  clientId: string,
  { domains: inputs, source = null }: Omit<TalAddition, 'source'> & { source?: string | null | undefined },
): Promise<TalAdded> {
  const { domains, rejected } = normalizeDomains(inputs)
  if (domains.length === 0)
    throw new AppError('unprocessable', 'None of the inputs is a domain. Send domains such as acme.com.', {
      issues: rejected.map(({ input, reason }) => ({ path: `/domains/${inputs.indexOf(input)}`, message: reason })),
    })
  const { rows } = await sql<{ domain: string }>`
    insert into tal_member (client_id, domain, source)
    select ${clientId}, domain, ${source} from unnest(${domains}::text[]) as given (domain) order by domain
    on conflict (client_id, domain) do nothing
    returning domain`.execute(db)
  const added = new Set(rows.map(({ domain }) => domain))
  return {
    added: domains.filter((domain) => added.has(domain)),
    already_present: domains.filter((domain) => !added.has(domain)),
    rejected,
  }
}

/** Removes companies from a client's list. Their records remain. */
export async function removeMembers(db: Db, clientId: string, inputs: readonly string[]): Promise<TalRemoved> {
  const { domains, rejected } = normalizeDomains(inputs)
  const { rows } = await sql<{ domain: string }>`
    delete from tal_member where client_id = ${clientId} and domain = any(${domains}::text[]) returning domain`.execute(
    db,
  )
  const removed = new Set(rows.map(({ domain }) => domain))
  return {
    removed: domains.filter((domain) => removed.has(domain)),
    not_present: [...domains.filter((domain) => !removed.has(domain)), ...rejected.map(({ input }) => input)],
  }
}
