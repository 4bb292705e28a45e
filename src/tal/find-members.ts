import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { isPendingFor, isVisibleTo } from '../companies/visibility.ts'
import type { TalAttributes, TalQuery } from '../contract/tal.ts'
import type { Db } from '../db/database.ts'
import { containing, contains, searchTerm } from '../db/text-match.ts'

export interface FoundMembers {
  members: { domain: string; source: string | null; attributes: TalAttributes; added_at: string }[]
  total: number
}

const COUNT_LIMIT = 10_000

/** A page of the members that match the filters, in the requested order. Counts at most 10,000 matches. */
export async function findMembers(
  db: Db,
  clientId: string,
  { limit, offset, order = 'domain.asc', ...query }: TalQuery & { freshDays: number },
): Promise<FoundMembers> {
  const [field = 'domain', direction = 'asc'] = order.split('.')
  const table = field === 'domain' || field === 'added_at' ? 'tal_member' : 'company'
  const sorted = sql`${sql.ref(`${table}.${field}`)} ${sql.raw(direction === 'asc' ? 'asc' : 'desc')} nulls last, tal_member.domain`
  const matches = sql`
    from tal_member
    left join company on company.domain = tal_member.domain and ${isVisibleTo(clientId)}
    where ${sql.join([sql`tal_member.client_id = ${clientId}`, ...conditions(clientId, query)], sql` and `)}`
  const [page, counted] = await Promise.all([
    sql<FoundMembers['members'][number]>`
      select tal_member.domain, tal_member.source, tal_member.attributes, tal_member.added_at ${matches}
      order by ${sorted} limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from (select ${matches} limit ${COUNT_LIMIT}) matched`.execute(db),
  ])
  return { members: page.rows, total: counted.rows[0]?.total ?? 0 }
}

type Filters = Omit<TalQuery, 'limit' | 'offset' | 'order'> & { freshDays: number }

function conditions(clientId: string, filters: Filters): RawBuilder<unknown>[] {
  const { query, source, status, changed_since, attribute, freshDays } = filters
  const found: RawBuilder<unknown>[] = []
  if (query !== undefined) {
    const term = searchTerm(query)
    found.push(sql`(${contains(sql`company.search_text`, term)} or tal_member.domain like ${containing(term)})`)
  }
  if (source !== undefined) found.push(sql`tal_member.source = ${source}`)
  for (const filter of attribute === undefined ? [] : [attribute].flat()) {
    const colon = filter.indexOf(':')
    found.push(sql`tal_member.attributes ->> ${filter.slice(0, colon)} = ${filter.slice(colon + 1)}`)
  }
  if (changed_since !== undefined) found.push(sql`company.history_at >= ${changed_since}::timestamptz`)
  if (status === 'stale')
    found.push(sql`coalesce(company.enriched_at < now() - ${freshDays}::float8 * interval '1 day', true)`)
  else if (status === 'pending') found.push(isPendingFor(clientId))
  else if (status !== undefined)
    found.push(sql`coalesce(company.enrichment_status, 'none') = ${status} and not ${isPendingFor(clientId)}`)
  return found
}
