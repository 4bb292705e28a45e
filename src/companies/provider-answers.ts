import { sql } from 'kysely'
import type { SourceAnswer } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import type { LastAnswer } from '../findings/freshness.ts'
import type { Gathered } from '../findings/gather.ts'

/**
 * Reads each provider's last result for a company. `dueProviders` uses these results to select the providers to query
 * again.
 */
export async function readAnswers(db: Db, domain: string): Promise<LastAnswer[]> {
  const rows = await db
    .selectFrom('provider_result')
    .select(['provider', 'groups', 'status', 'checked_at', 'failures'])
    .where('domain', '=', domain)
    .execute()
  return rows as LastAnswer[]
}

/** Reads each provider's last result for API responses, ordered by source name. */
export async function readSourceAnswers(db: Db, domain: string): Promise<SourceAnswer[]> {
  const rows = await db
    .selectFrom('provider_result')
    .select(['provider as source', 'groups', 'status', 'reason', 'checked_at as asked_at', 'failures'])
    .where('domain', '=', domain)
    .orderBy('provider')
    .execute()
  return rows as SourceAnswer[]
}

/** Stores each provider's result and its number of consecutive failures. */
export async function writeAnswers(trx: Db, { domain, groups, answers }: Gathered): Promise<void> {
  await sql`
    insert into provider_result as known (domain, provider, groups, status, reason, checked_at, failures)
    select ${domain}, provider, ${groups}::text[], status, reason, checked_at, (status = 'unavailable')::integer
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
      as answer (provider text, status text, reason text, checked_at timestamptz)
    on conflict (domain, provider) do update set
      groups = excluded.groups, status = excluded.status, reason = excluded.reason, checked_at = excluded.checked_at,
      failures = case when excluded.status = 'unavailable' then known.failures + 1 else 0 end`.execute(trx)
}
