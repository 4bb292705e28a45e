import { sql } from 'kysely'
import type { Company } from '../contract/companies.ts'
import { COMPANY_FIELDS } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared-statements.ts'

/** Columns of a company in API replies, in order. */
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

// The most frequent query, so its text is built once.
const columns = sql.raw(COMPANY_COLUMNS.join(', '))

/** One company, without its groups. Throws `not_found`. */
export async function readCompany(db: Db, domain: string): Promise<Company> {
  const { rows } = await sql<Company>`${prepared} select ${columns} from company where domain = ${domain}`.execute(db)
  const [company] = rows
  if (!company) throw new AppError('not_found', `Company ${domain} not found. Enrich it with POST /v2/enrich/company.`)
  return company
}

/** Companies by domain; unknown ones are left out. */
export async function readCompanies(db: Db, domains: readonly string[]): Promise<Map<string, Company>> {
  if (domains.length === 0) return new Map()
  const rows = await db.selectFrom('company').select(COMPANY_COLUMNS).where('domain', 'in', domains).execute()
  return new Map(rows.map((row) => [row.domain, row]))
}
