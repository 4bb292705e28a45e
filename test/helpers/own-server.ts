import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'

/** A migrated database on a separate server with production settings, for tests of WAL and disk usage. */
export async function ownServer<Tables>(role: 'service' | 'warehouse'): Promise<Postgres<Tables>> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-own-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
  const url = server.url(role)
  await ensureDatabase(url)
  const postgres = stack.use(openPostgres<Tables>(url, { log: silentLog, name: 'test', connections: 20 }))
  await migrate(postgres.db, join(import.meta.dirname, `../../sql/${role}`))
  const rest = stack.move()
  return { ...postgres, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}
