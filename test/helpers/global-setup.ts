import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Role } from '../../src/cli/support/access/database-rules.ts'
import { prepareDatabase } from '../../src/cli/support/access/prepare.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { ensureDatabase, withDatabase } from '../../src/lib/postgres.ts'
import { importBundled } from './bundled-dependencies.ts'
import { createClusterDatabase } from './citus-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of any database on the server shared by this run. */
    postgresUrl: string
    /** URLs of the Citus workers, if `postgresUrl` is a Citus coordinator. */
    citusWorkers: string[]
  }
}

/** One template per database role; a test clones a template in a tenth of a second. */
export const TEMPLATES = { service: 'talhouse_service_template', warehouse: 'talhouse_warehouse_template' } as const

/**
 * Provides one PostgreSQL server for the whole run: the server at `TALHOUSE_TEST_DATABASE_URL`, the Citus cluster at
 * `TALHOUSE_TEST_CITUS_URLS` (the coordinator, then the workers, separated by commas), or an embedded server that stops
 * with the run.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const [coordinator, ...workers] = process.env['TALHOUSE_TEST_CITUS_URLS']?.split(',') ?? []
  const given = coordinator ?? process.env['TALHOUSE_TEST_DATABASE_URL']
  // Node's compile cache, in its default folder, saves 40% of the CPU time used by commands that tests start.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')
  process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], await importBundled()].filter(Boolean).join(' ')
  const folder = await mkdtemp(join(await foldersParent(), 'talhouse-test-'))
  // The folder has the permissions of /tmp, because PostgreSQL runs under another account if root starts it.
  await chmod(folder, 0o1777)
  process.env['TMPDIR'] = folder
  // Test data need not survive a crash; without fsync, cloning a database is four times faster.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const server = given ? undefined : await startEmbeddedPostgres({ dataDir: join(folder, 'shared'), port: 0, settings })
  const url = given ?? (server as NonNullable<typeof server>).url('postgres')
  for (const [role, name] of Object.entries(TEMPLATES)) {
    const template = withDatabase(url, name)
    if (role === 'service' && workers.length > 0) await createClusterDatabase([url, ...workers], name)
    else await ensureDatabase(template)
    const urls = { admin: template, owner: template, runtime: template }
    await prepareDatabase(role as Role, urls, { log: silentLog, analystPassword: undefined, auditRetentionDays: 730 })
  }
  project.provide('postgresUrl', url)
  project.provide('citusWorkers', workers)
  return async () => {
    await server?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the parent of all folders that tests create. It is in memory if 2 GB are available. Cloning a database
 * creates a thousand files, which takes 20 times as much CPU time on ext4.
 */
async function foldersParent(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize >= 2 * 1024 ** 3 ? '/dev/shm' : tmpdir()
}
