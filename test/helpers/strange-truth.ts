import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { StrangeWorld } from './strange-world.ts'

type Db = Kysely<WarehouseTables>

/** Returns the differences between the warehouse and the host, as lines such as `- person a.example Ann`. */
export async function differencesFromHost(db: Db, world: StrangeWorld): Promise<string[]> {
  const theirs = truth(world)
  const ours = await contents(db, world)
  const known = new Map<string, number>()
  for (const line of ours) known.set(line, (known.get(line) ?? 0) + 1)
  const missing: string[] = []
  for (const line of theirs) {
    const left = known.get(line) ?? 0
    if (left === 0) missing.push(`- ${line}`)
    else known.set(line, left - 1)
  }
  const extra = [...known].flatMap(([line, left]) => Array.from({ length: left }, () => `+ ${line}`))
  return [...missing, ...extra].toSorted()
}

const line = (...parts: unknown[]): string => JSON.stringify(parts.map((part) => part ?? null))
const moment = (text: unknown): number | null => (typeof text === 'string' ? Date.parse(text) : null)

function truth(world: StrangeWorld): string[] {
  const lines: string[] = []
  for (const { domain, source } of world.tal) {
    lines.push(line('member', domain, source))
    const company = world.companies.get(domain)
    if (!company) continue
    const { name, employee_count, enrichment_status, enriched_at } = company
    lines.push(line('company', domain, name, employee_count, enrichment_status, moment(enriched_at)))
    for (const { email, full_name, title } of world.persons.get(domain) ?? [])
      lines.push(line('person', domain, email, full_name, title))
    for (const { type, headline, date } of (company['signals'] ?? []) as Record<string, unknown>[])
      lines.push(line('signal', domain, type, headline, date))
    const people = (world.persons.get(domain) ?? [])
      .map(({ email_hash }) => email_hash)
      .filter((hash) => hash !== undefined)
    for (const key of [domain, ...people])
      for (const { field, old_value, new_value, changed_at } of world.events.get(String(key)) ?? [])
        lines.push(line('event', domain, key, field, old_value, new_value, moment(changed_at)))
  }
  for (const { sec_number, legal_name, region, aum_total_usd } of world.firms)
    lines.push(line('firm', sec_number, legal_name, region, aum_total_usd))
  return lines
}

/** Events of members that left stay in the warehouse and do not count as differences. */
async function contents(db: Db, world: StrangeWorld): Promise<string[]> {
  const { rows } = await sql<{ parts: unknown[] }>`
    select jsonb_build_array('member', domain, source) as parts from warehouse.tal_member where gone_at is null
    union all
    select jsonb_build_array('company', domain, name, employee_count, enrichment_status, (extract(epoch from enriched_at) * 1000)::bigint)
    from warehouse.company where gone_at is null
    union all
    select jsonb_build_array('person', company_domain, email, full_name, title) from warehouse.person
    union all
    select jsonb_build_array('signal', company_domain, type, headline, published_on)
    from warehouse.signal join warehouse.company on domain = company_domain where gone_at is null
    union all
    select jsonb_build_array('event', domain, key, field, old_value, new_value, (extract(epoch from changed_at) * 1000)::bigint)
    from warehouse.history_event where domain = any(${world.tal.map(({ domain }) => domain)}::text[])
    union all
    select jsonb_build_array('firm', sec_number, legal_name, region, aum_total_usd) from warehouse.firm where gone_at is null
  `.execute(db)
  return rows.map(({ parts }) => line(...parts))
}

/** Returns the units charged by the host minus the units recorded in the warehouse. */
export async function unitsUnaccounted(db: Db, spentAtHost: number): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units_charged - coalesce(units_refunded, 0)), 0)::double precision as units from warehouse.submission
  `.execute(db)
  return spentAtHost - (rows[0]?.units ?? 0)
}

/** Returns the companies that the host charged for more than once. */
export function paidTwice({ tasks }: StrangeWorld): string[] {
  const paid = [...tasks.values()].flatMap(({ domains }) => domains)
  return paid.filter((domain, index) => paid.indexOf(domain) !== index)
}
