import { sql } from 'kysely'
import { expect } from 'vitest'
import { listAudit } from '../../../src/audit/audit-log.ts'
import type { Db } from '../../../src/db/database.ts'
import { gathered, record, shows } from '../../helpers/findings.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

/** The company whose record and people the operations and commands change. */
export const DOMAIN = 'kept.example'

/** Starts a service with one firm, and limits that allow every operation. */
export async function startAuditedService(): Promise<TestService> {
  const service = await startService({
    plan: { units_per_period: 1000, reads_per_minute: 10_000, submits_per_minute: 10_000 },
  })
  await storeFirms(service.postgres, [{ crd_number: 4711, sec_number: '801-4711', legal_name: 'LISTED LLC' }])
  return service
}

/** Tables and columns whose changes are not audited: rate limits, quotes, leases and `last_used_at` timestamps. */
const NOT_CHANGES = { tables: /^(audit_entry|quote|rate_window|record_count|kysely_.*)$/, columns: ['last_used_at'] }

/** Returns a hash of each row in the service database. */
async function stateOf(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db)
  const state: Record<string, string> = {}
  for (const { name } of tables.filter(({ name }) => !NOT_CHANGES.tables.test(name))) {
    const { rows } = await sql<{ hash: string }>`
      select coalesce(md5(string_agg(line, ' ' order by line)), '') as hash
      from (select (to_jsonb(t) - ${NOT_CHANGES.columns}::text[])::text as line from ${sql.table(name)} t) as lines`.execute(
      db,
    )
    state[name] = rows[0]?.hash ?? ''
  }
  return state
}

/**
 * Expects either a change with exactly one audit entry, or no change and no entry. Reads of personal data also require
 * an entry.
 */
export async function expectAudited(
  db: Db,
  action: string | null,
  work: () => Promise<unknown>,
  { isChange = action !== null } = {},
): Promise<void> {
  const entries = () => listAudit(db, { limit: 10_000 })
  const [before, known] = [await stateOf(db), (await entries()).length]
  await work()
  const added = (await entries()).slice(0, -known || undefined)
  expect(added.map(({ action, result }) => ({ action, result }))).toEqual(
    action === null ? [] : [{ action, result: 'ok' }],
  )
  const isChanged = JSON.stringify(await stateOf(db)) !== JSON.stringify(before)
  expect(isChanged).toBe(isChange)
}

/** Stores a failed delivery for the task, with the task's ID. */
export async function endDelivery({ db, client }: TestService, taskId: string): Promise<void> {
  await sql`insert into webhook_delivery (client_id, delivery_id, task_id, url, payload, state, next_attempt_at, ended_at)
    values (${client.client_id}, ${taskId}, ${taskId}, 'https://hooks.example/', '{}', 'failed', null, now())
    on conflict (client_id, delivery_id) do update set state = 'failed', next_attempt_at = null, ended_at = now()`.execute(
    db,
  )
}

/** Stores a person at the company, as if found by the task. */
export async function storePerson(db: Db, taskId: string, email: string): Promise<void> {
  await record(db, gathered(DOMAIN, { people: [shows('website', 'Ada Byron', { email })] }), { taskId })
}
