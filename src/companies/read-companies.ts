import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Company } from '../contract/companies.ts'
import { COMPANY_FIELDS } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { isPendingFor, isVisibleTo } from './visibility.ts'

/** Columns of a company in API responses, in order. */
export const COMPANY_COLUMNS = [
  'domain',
  ...COMPANY_FIELDS,
  'in_formadv',
  'enrichment_status',
  'status_reason',
  'enriched_at',
  'leadership_enriched_at',
  'signals_enriched_at',
  'retry_at',
  'history_at',
  'updated_at',
] as const

/**
 * Select list for companies as seen by the client. The status is `pending` while the client waits for an enrichment.
 */
export const companyColumns = (clientId: string): RawBuilder<Company> =>
  sql.join(
    COMPANY_COLUMNS.map((column) =>
      column === 'enrichment_status'
        ? sql`case when ${isPendingFor(clientId)} then 'pending' else company.enrichment_status end as enrichment_status`
        : sql.ref(`company.${column}`),
    ),
  )

/**
 * Reads one company as seen by the client, without the optional groups. Throws `not_found` if the company is neither
 * visible to the client nor on the client's list.
 */
export async function readCompany(db: Db, domain: string, clientId: string): Promise<Company> {
  const { rows } = await sql<Company>`${prepared}
    select ${companyColumns(clientId)} from company where domain = ${domain} and ${isVisibleTo(clientId)}`.execute(db)
  if (rows[0]) return rows[0]
  const listed = await db
    .selectFrom('tal_member')
    .select('added_at')
    .where('client_id', '=', clientId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  if (listed) return unknownCompany(domain, listed.added_at)
  throw new AppError('not_found', `Company ${domain} not found. Enrich it with POST /v2/enrich/company.`)
}

/** Reads companies as seen by the client, keyed by domain. Unknown and invisible companies are absent. */
export async function readCompanies(
  db: Db,
  domains: readonly string[],
  clientId: string,
): Promise<Map<string, Company>> {
  if (domains.length === 0) return new Map()
  const { rows } = await sql<Company>`
    select ${companyColumns(clientId)} from company
    where domain = any(${[...domains]}::text[]) and ${isVisibleTo(clientId)}`.execute(db)
  return new Map(rows.map((row) => [row.domain, row]))
}

/** Returns those of the domains whose company the client may see. */
export async function visibleDomains(
  db: Db,
  domains: readonly string[],
  clientId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ domain: string }>`
    select domain from company where domain = any(${[...domains]}::text[]) and ${isVisibleTo(clientId)}`.execute(db)
  return new Set(rows.map(({ domain }) => domain))
}

/** Placeholder for a company that is on a client's list but has no stored data. */
export function unknownCompany(domain: string, addedAt: string): Company {
  const fields = Object.fromEntries(COMPANY_COLUMNS.map((column) => [column, null]))
  return { ...fields, domain, in_formadv: false, enrichment_status: 'none', updated_at: addedAt } as unknown as Company
}
