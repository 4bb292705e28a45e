import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { countRecords } from '../stats/record-counts.ts'
import type { CompanyRow } from './company-row.ts'
import { linkFirms } from './link-firms.ts'

/** Creates missing companies and links them to Form ADV firms. Returns how many were new. `domains` are normalized. */
export async function ensureCompanies(trx: Db, domains: readonly string[]): Promise<number> {
  if (domains.length === 0) return 0
  // Sorted, so that two transactions adding the same companies cannot deadlock.
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
 * Marks companies as pending, creating missing ones. Call it before taking any other lock (units, tasks): writers of
 * findings lock the company first.
 */
export async function markPending(trx: Db, domains: readonly string[]): Promise<void> {
  await ensureCompanies(trx, domains)
  await sql`${prepared}
    with locked as (select domain from company where domain = any(${domains}::text[]) order by domain for update)
    update company set enrichment_status = 'pending' from locked
    where company.domain = locked.domain and enrichment_status <> 'pending'`.execute(trx)
}

/** Marks a pending company as failed when its enrichment ended without findings. */
export async function markFailed(trx: Db, domain: string, reason: string): Promise<void> {
  await sql`
    update company set enrichment_status = 'failed', status_reason = ${reason}, failed_attempts = failed_attempts + 1
    where domain = ${domain} and enrichment_status = 'pending'`.execute(trx)
}

/** Locks the company until the transaction ends, creating it if missing. */
export async function lockCompany(trx: Db, domain: string): Promise<CompanyRow> {
  const take = () => trx.selectFrom('company').selectAll().where('domain', '=', domain).forUpdate().executeTakeFirst()
  const known = await take()
  if (known) return known
  await ensureCompanies(trx, [domain])
  return (await take()) as CompanyRow
}
