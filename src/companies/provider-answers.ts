import { sql } from 'kysely'
import type { SourceAnswer } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import type { LastAnswer } from '../findings/freshness.ts'
import type { Gathered, ProviderAnswer } from '../findings/gather.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { prepared } from '../lib/prepared-statements.ts'

/**
 * Reads each provider's last result for several companies, by domain. `dueProviders` uses these results to select the
 * providers to query again.
 */
export async function readAnswers(db: Db, domains: readonly string[]): Promise<Map<string, LastAnswer[]>> {
  const { rows } = await sql<LastAnswer & { domain: string }>`
    select domain, provider, groups, status, checked_at, failures from provider_result
    where domain = any(${domains}::text[])`.execute(db)
  return Map.groupBy(rows, ({ domain }) => domain)
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

/**
 * Stores each provider's results and its numbers of consecutive failures. `last` contains the results from `readAnswers`,
 * read after the companies were locked.
 */
export async function writeAnswers(
  trx: Db,
  gathered: readonly Gathered[],
  last: ReadonlyMap<string, readonly LastAnswer[]>,
): Promise<void> {
  const rows = gathered.flatMap(({ domain, groups, answers }) =>
    answers.map((answer) => ({ ...answer, domain, groups: groupsOf(answer, groups, last.get(domain) ?? []) })),
  )
  if (rows.length === 0) return
  await sql`${prepared}
    insert into provider_result as known (domain, provider, groups, status, reason, checked_at, failures)
    select domain, provider, array(select jsonb_array_elements_text(groups)), status, reason, checked_at,
      (status = 'unavailable')::integer
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as answer (domain text, provider text, groups jsonb, status text, reason text, checked_at timestamptz)
    on conflict (domain, provider) do update set
      groups = excluded.groups, status = excluded.status, reason = excluded.reason, checked_at = excluded.checked_at,
      failures = case when excluded.status = 'unavailable' then known.failures + 1 else 0 end`.execute(trx)
}

/**
 * The groups of a result. Consecutive failures cover all groups that were requested, so that the stored groups do not
 * depend on which of two concurrent requests, such as for people and for news, is recorded first.
 */
function groupsOf(
  { provider, status }: ProviderAnswer,
  requested: readonly FieldGroup[],
  last: readonly LastAnswer[],
): FieldGroup[] {
  const before = last.find((answer) => answer.provider === provider)
  const failed = status === 'unavailable' && before?.status === 'unavailable' ? before.groups : []
  return [...new Set([...failed, ...requested])].sort()
}
