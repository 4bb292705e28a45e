import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { listAudit } from '../../../src/audit/audit-log.ts'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { auditedChanges } from '../../chaos/audited-changes.ts'
import { startServeProcess } from '../../chaos/serve-process.ts'
import { givenClient } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'
import { untilWaitingForLocks } from '../../helpers/waiting-for-locks.ts'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')

it('keeps neither a change nor its audit entry if the process is killed between the writes', async () => {
  await using database = await testDatabase<ServiceTables>('service')
  const { db, url } = database
  // Requests wait for the commands, which take longer to start.
  await using server = await startServeProcess(url, { settings: { TALHOUSE_SERVICE_STATEMENT_TIMEOUT_MS: '0' } })
  const requests = [
    ['POST', '/v2/clients/me/tal/companies', { domains: ['listed.example'] }],
    ['POST', '/v2/enrich/company', { domain: 'enriched.example' }],
    ['POST', '/v2/webhooks/secret/rotate', undefined],
    ['GET', '/v2/webhooks/secret', undefined],
    ['DELETE', '/v2/persons/0123456789abcdef', undefined],
  ] as const
  const clientId = await givenClient(db)
  const keys = await Promise.all(
    requests.map(async () => (await createApiKey(db, await givenClient(db), { scopes: SCOPES })).key),
  )
  const commands = [
    ['clients', 'create', 'Killed', '--id', 'killed'],
    ['keys', 'create', clientId],
    ['units', 'grant', clientId, '5'],
    ['webhooks', 'show', clientId],
  ]
  const before = await auditedChanges(db)

  // Blocks each transaction after its change, when it writes the audit entry.
  await using lock = await lockedAudit(database.pool)
  const sent = requests.map(([method, path, body], index) =>
    fetch(server.url + path, {
      method,
      headers: { 'x-api-key': keys[index] as string, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined),
  )
  const env = { ...process.env, TALHOUSE_SERVICE_DATABASE_URL: url }
  const children = commands.map((words) => spawn(process.execPath, [MAIN, ...words], { env, stdio: 'ignore' }))
  await untilWaitingForLocks(db, requests.length + commands.length)
  const ended = children.map((child) => once(child, 'exit'))
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([server.kill(), ...ended, ...sent])
  await lock[Symbol.asyncDispose]()
  await untilOnlySession(db)

  expect(await listAudit(db, { limit: 100 })).toEqual([])
  expect(await auditedChanges(db)).toEqual(before)
}, 180_000)

/** Blocks writes of audit entries until it is disposed. */
async function lockedAudit(pool: Postgres<ServiceTables>['pool']): Promise<AsyncDisposable> {
  const lock = await pool.connect()
  await lock.query('begin; lock table audit_entry in share row exclusive mode')
  let isOpen = true
  return {
    async [Symbol.asyncDispose]() {
      if (!isOpen) return
      isOpen = false
      await lock.query('rollback')
      lock.release()
    },
  }
}

/** Waits until the server has ended the sessions of the killed processes. */
async function untilOnlySession(db: Parameters<typeof listAudit>[0]): Promise<void> {
  const others = sql<{ others: number }>`
    select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name <> 'talhouse test' and pid <> pg_backend_pid()
      -- Citus has sessions of its own.
      and backend_type = 'client backend' and application_name not like 'citus%'`
  await expect.poll(async () => (await others.execute(db)).rows[0]?.others, { timeout: 60_000 }).toBe(0)
}
