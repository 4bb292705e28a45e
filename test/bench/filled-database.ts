import type { Db, ServiceTables } from '../../src/db/database.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { openChaosDatabase } from '../chaos/chaos-database.ts'

export interface FilledDatabase extends AsyncDisposable {
  db: Db
  url: string
}

/**
 * Returns the database at TALHOUSE_TEST_BENCH_URL, filled by an earlier run, if this variable is set. Otherwise returns
 * a new database filled by `fill` with `content`.
 */
export async function openFilledDatabase(content: string, fill: (db: Db) => Promise<void>): Promise<FilledDatabase> {
  const url = process.env['TALHOUSE_TEST_BENCH_URL']
  if (url) return openPostgres<ServiceTables>(url, { log: silentLog, name: 'bench', connections: 2 })
  await using stack = new AsyncDisposableStack()
  const chaos = stack.use(await openChaosDatabase({ connections: 4 }))
  const started = performance.now()
  await fill(chaos.service.db)
  console.log(`${content}, in ${Math.round((performance.now() - started) / 1000)} s`)
  const rest = stack.move()
  return { db: chaos.service.db, url: chaos.url, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}
