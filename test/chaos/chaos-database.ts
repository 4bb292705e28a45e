import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceTables } from '../../src/db/database.ts'
import type { EmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import type { Queue } from '../../src/lib/queue.ts'
import { openQueue } from '../../src/lib/queue.ts'
import { QUEUES } from '../../src/worker/worker.ts'

export interface ChaosDatabase extends AsyncDisposable {
  service: Postgres<ServiceTables>
  queue: Queue
  url: string
  server: EmbeddedPostgres
  dataDir: string
}

/**
 * Starts a separate PostgreSQL with production durability (fsync on), for runs that are too long or too destructive for
 * `npm test`.
 */
export async function openChaosDatabase({ connections = 40, folder = tmpdir() } = {}): Promise<ChaosDatabase> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(folder, 'talhouse-chaos-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
  const url = server.url('chaos')
  await ensureDatabase(url)
  const service = stack.use(openPostgres<ServiceTables>(url, { log: silentLog, name: 'chaos', connections }))
  await migrate(service.db, join(import.meta.dirname, '../../sql/service'))
  const queue = stack.use(await openQueue(url, { log: silentLog, queues: QUEUES, supervise: true }))
  const rest = stack.move()
  return { service, queue, url, server, dataDir, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

export interface ChaosWarehouses extends AsyncDisposable {
  /** URL of any database on the server. */
  url: string
  /** Name of a migrated, empty warehouse. */
  template: string
}

/**
 * Starts a separate PostgreSQL with a migrated warehouse to clone. Durability is off, because only processes are
 * killed, not the server.
 */
export async function openChaosWarehouses(): Promise<ChaosWarehouses> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-chaos-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings: { fsync: 'off' } }))
  const template = 'template_warehouse'
  await ensureDatabase(server.url(template))
  {
    await using database = openPostgres(server.url(template), { log: silentLog, name: 'chaos' })
    await migrate(database.db, join(import.meta.dirname, '../../sql/warehouse'))
  }
  const rest = stack.move()
  return { url: server.url('postgres'), template, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}
