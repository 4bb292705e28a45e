import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { prepared } from '../lib/prepared-statements.ts'
import type { CompanyRow } from './company-row.ts'
import { linkFirms } from './link-firms.ts'

/**
 * Creates missing companies. New companies become public once they are enriched or linked to a Form ADV firm. `domains`
 * must be normalized.
 */
export async function ensureCompanies(trx: Db, domains: readonly string[]): Promise<void> {
  if (domains.length === 0) return
  // The rows are inserted in sorted order, so that two transactions that add the same companies cannot deadlock.
  const { rows } = await sql<{ domain: string }>`${prepared}
    insert into company (domain)
    select domain from unnest(${domains}::text[]) as given (domain) order by domain
    on conflict (domain) do nothing
    returning domain`.execute(trx)
  if (rows.length === 0) return
  await linkFirms(
    trx,
    rows.map(({ domain }) => domain),
  )
}

/** Marks a company as failed after an enrichment that found no data. */
export async function markFailed(trx: Db, domain: string, reason: string): Promise<void> {
  await sql`
    update company set enrichment_status = 'failed', status_reason = ${reason}, failed_attempts = failed_attempts + 1
    where domain = ${domain}`.execute(trx)
}

/** Locks the company until the transaction ends, creating it if missing. */
export async function lockCompany(trx: Db, domain: string): Promise<CompanyRow> {
  const take = () => trx.selectFrom('company').selectAll().where('domain', '=', domain).forUpdate().executeTakeFirst()
  const known = await take()
  if (known) return known
  await ensureCompanies(trx, [domain])
  return (await take()) as CompanyRow
}
