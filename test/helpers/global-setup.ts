import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres, withDatabase } from '../../src/lib/postgres.ts'
import { openQueue } from '../../src/lib/queue.ts'

import { QUEUES } from '../../src/worker/worker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that the tests of this run share; any database on it. */
    postgresUrl: string
  }
}

/** Templates, one for each role of a database; every test clones one in a tenth of a second. */
export const TEMPLATES = { service: 'talhouse_service_template', warehouse: 'talhouse_warehouse_template' } as const

/** One PostgreSQL for the whole run: `TALHOUSE_TEST_DATABASE_URL`, or an embedded one that ends with the run. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TALHOUSE_TEST_DATABASE_URL']
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-test-'))
  // Nothing of a test run has to survive the machine: fsync off makes a cloned database four times cheaper.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const server = given ? undefined : await startEmbeddedPostgres({ dataDir, port: 0, settings })
  const url = given ?? (server as NonNullable<typeof server>).url('postgres')
  for (const [role, name] of Object.entries(TEMPLATES)) {
    const template = withDatabase(url, name)
    await ensureDatabase(template)
    await using postgres = openPostgres(template, { log: silentLog, name: 'test' })
    await migrate(postgres.db, join(import.meta.dirname, `../../sql/${role}`))
    // The queue makes its own tables; a clone that has them opens in no time.
    if (role === 'service')
      await (await openQueue(template, { log: silentLog, queues: QUEUES, supervise: false }))[Symbol.asyncDispose]()
  }
  project.provide('postgresUrl', url)
  return async () => {
    await server?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }
}
