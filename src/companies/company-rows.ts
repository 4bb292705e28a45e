import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { CompanyTable } from '../db/record-tables.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { countRecords } from '../stats/record-counts.ts'
import { linkFirms } from './link-firms.ts'

export type CompanyRow = Selectable<CompanyTable>

/** Makes companies known, and links those that a Form ADV firm names. Returns how many were not. `domains` are normalised. */
export async function ensureCompanies(trx: Db, domains: readonly string[]): Promise<number> {
  if (domains.length === 0) return 0
  // In order: two transactions that add the same new companies must not wait for each other crosswise.
  const { rows } = await sql<{ domain: string }>`${prepared}
    insert into company (domain)
    select domain from unnest(${domains}::text[]) as given (domain) order by domain
    on conflict (domain) do nothing
    returning domain`.execute(trx)
  if (rows.length === 0) return 0
  await countRecords(trx, 'company', { total: rows.length })
  await linkFirms(
    trx,
    rows.map(({ domain }) => domain),
  )
  return rows.length
}

/**
 * Marks companies whose own fields are being looked up, making them known first. Call it before any other lock is taken (units, tasks): who
 * records findings holds the company first and those locks after.
 */
export async function markPending(trx: Db, domains: readonly string[]): Promise<void> {
  await ensureCompanies(trx, domains)
  await sql`${prepared}
    with locked as (select domain from company where domain = any(${domains}::text[]) order by domain for update)
    update company set enrichment_status = 'pending' from locked
    where company.domain = locked.domain and enrichment_status <> 'pending'`.execute(trx)
}

/** Ends the waiting of a company whose enrichment was given up before any source was heard. */
export async function markFailed(trx: Db, domain: string, reason: string): Promise<void> {
  await sql`
    update company set enrichment_status = 'failed', status_reason = ${reason}, failed_attempts = failed_attempts + 1
    where domain = ${domain} and enrichment_status = 'pending'`.execute(trx)
}

/** Holds the company until the transaction ends, so that its writers follow each other. Makes it known when it is not. */
export async function lockCompany(trx: Db, domain: string): Promise<CompanyRow> {
  const take = () => trx.selectFrom('company').selectAll().where('domain', '=', domain).forUpdate().executeTakeFirst()
  const known = await take()
  if (known) return known
  await ensureCompanies(trx, [domain])
  return (await take()) as CompanyRow
}
