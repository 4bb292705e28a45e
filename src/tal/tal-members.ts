import { sql } from 'kysely'
import { normalizeDomains } from '../companies/normalize-domain.ts'
import { readCompanies, unknownCompany } from '../companies/read-companies.ts'
import type { TalAdded, TalAttributes, TalNewEntry, TalPage, TalQuery, TalRemoved } from '../contract/tal.ts'
import { TAL_ATTRIBUTE_BYTES } from '../contract/tal.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findMembers } from './find-members.ts'

/** Returns a page of a client's list. */
export async function listMembers(
  db: Db,
  clientId: string,
  { freshDays, ...query }: TalQuery & { freshDays: number },
): Promise<TalPage> {
  const { limit, offset } = query
  const after = readCursor(query)
  const { members, total, next } = await findMembers(db, clientId, { ...query, after, freshDays })
  // Members and companies are read separately, because lists are distributed by client and companies by domain.
  const companies = await readCompanies(
    db,
    members.map(({ domain }) => domain),
    clientId,
  )
  const entries = members.map(({ domain, source, attributes, attribute_order, added_at }) => ({
    ...(companies.get(domain) ?? unknownCompany(domain, added_at)),
    source,
    attributes: inOrder(attributes, attribute_order),
    added_at,
  }))
  const page = { companies: entries, total, fresh_days: freshDays, limit, offset }
  return next === undefined ? page : { ...page, next_cursor: writeCursor(next) }
}

/** Sorts attributes by the position of their names in `order`; attributes missing from `order` come last. */
function inOrder(attributes: TalAttributes, order: readonly string[]): TalAttributes {
  const known = order.flatMap((name) => (Object.hasOwn(attributes, name) ? [[name, attributes[name]]] : []))
  return { ...Object.fromEntries(known), ...attributes }
}

/**
 * Adds companies to a client's list. Companies already on the list keep their tag; attributes are set on both new and
 * listed companies. The response lists rejected inputs. Throws `unprocessable` if none of the inputs is a domain.
 */
export async function addMembers(
  db: Db,
  clientId: string,
  { domains: plain = [], entries = [], source = null }: NewMembers,
): Promise<TalAdded> {
  const inputs = [...plain, ...entries.map(({ domain }) => domain)]
  const { domains, rejected } = normalizeDomains(inputs)
  if (domains.length === 0)
    throw new AppError('unprocessable', 'None of the inputs is a domain. Send domains such as acme.com.', {
      issues: rejected.map(({ input, reason }) => ({ path: pathOf(input, plain, entries), message: reason })),
    })
  const attributes = attributesByDomain(entries)
  const changes = domains.map((domain) => JSON.stringify(attributes.get(domain) ?? {}))
  // `xmax` is 0 for an inserted row. Unchanged entries are not written.
  const { rows } = await sql<{ domain: string; added: boolean }>`
    insert into tal_member (client_id, domain, source, attributes, attribute_order)
    select ${clientId}, domain, ${source}, jsonb_strip_nulls(attributes::jsonb),
      (select coalesce(jsonb_agg(key), '[]') from json_each_text(attributes::json) where value is not null)
    from unnest(${domains}::text[], ${changes}::text[]) as given (domain, attributes) order by domain
    on conflict (client_id, domain) do update
    set attributes = tal_member.attributes || excluded.attributes,
      attribute_order = excluded.attribute_order || (
        select coalesce(jsonb_agg(key), '[]') from jsonb_array_elements_text(tal_member.attribute_order) key
        where not excluded.attribute_order ? key)
    where tal_member.attributes is distinct from tal_member.attributes || excluded.attributes
    returning domain, xmax = 0 as added`.execute(db)
  const removed = await removeAttributes(db, clientId, attributes)
  const added = new Set(rows.filter((row) => row.added).map(({ domain }) => domain))
  const changed = new Set([...rows.map(({ domain }) => domain), ...removed])
  const present = domains.filter((domain) => !added.has(domain))
  return {
    added: domains.filter((domain) => added.has(domain)),
    already_present: present,
    updated: present.filter((domain) => changed.has(domain)),
    rejected,
  }
}

export interface NewMembers {
  domains?: readonly string[] | undefined
  entries?: readonly TalNewEntry[] | undefined
  source?: string | null | undefined
}

const pathOf = (input: string, domains: readonly string[], entries: readonly TalNewEntry[]): string =>
  domains.includes(input)
    ? `/domains/${domains.indexOf(input)}`
    : `/entries/${entries.findIndex(({ domain }) => domain === input)}/domain`

type Attributes = NonNullable<TalNewEntry['attributes']>

/**
 * Attributes by normalized domain, merged if a company is given twice. Throws if the attributes of one entry are too
 * large.
 */
function attributesByDomain(entries: readonly TalNewEntry[]): Map<string, Attributes> {
  const byDomain = new Map<string, Attributes>()
  for (const { domain: input, attributes = {} } of entries) {
    if (Object.keys(attributes).length === 0) continue
    const [domain] = normalizeDomains([input]).domains
    if (domain === undefined) continue
    const joined = { ...byDomain.get(domain), ...attributes }
    if (Buffer.byteLength(JSON.stringify(joined)) > TAL_ATTRIBUTE_BYTES)
      throw new AppError('unprocessable', `The attributes of ${domain} exceed ${TAL_ATTRIBUTE_BYTES} bytes.`)
    byDomain.set(domain, joined)
  }
  return byDomain
}

/** Removes attributes set to null. Returns the changed domains. */
async function removeAttributes(db: Db, clientId: string, attributes: Map<string, Attributes>): Promise<string[]> {
  const removals = [...attributes].flatMap(([domain, values]) =>
    Object.entries(values).flatMap(([name, value]) => (value === null ? [{ domain, name }] : [])),
  )
  if (removals.length === 0) return []
  const { rows } = await sql<{ domain: string }>`
    update tal_member set attributes = attributes - names, attribute_order = attribute_order - names
    from (
      select domain, array_agg(name) as names
      from unnest(${removals.map(({ domain }) => domain)}::text[], ${removals.map(({ name }) => name)}::text[]) as given (domain, name)
      group by domain
    ) as removal
    where client_id = ${clientId} and tal_member.domain = removal.domain and attributes ?| names
    returning tal_member.domain`.execute(db)
  return rows.map(({ domain }) => domain)
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
