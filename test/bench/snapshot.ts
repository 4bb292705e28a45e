/**
 * `npm run bench -- snapshot [rows]`: a snapshot beside bare `COPY ... TO STDOUT` of the same table with the same connection settings, and beside that
 * COPY through gzip without a sink. Prints rows per second, the ratio and the peak memory.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { directorySink } from '../../pipelines/sinks/directory.ts'
import { createSnapshot } from '../../pipelines/snapshot/create-snapshot.ts'
import { copyOut } from '../../src/lib/copy.ts'
import { databaseClock } from '../../src/lib/database-clock.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import type { Turn } from './measure.ts'
import { measureInTurns, peakMemory } from './measure.ts'

const ROWS = Number(process.argv[2] ?? 500_000)
const folder = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
try {
  await using server = await startEmbeddedPostgres({ dataDir: folder, port: 0 })
  await ensureDatabase(server.url('bench'))
  await using warehouse = openPostgres<unknown>(server.url('bench'), { log: silentLog, name: 'bench' })
  await migrate(warehouse.db, join(import.meta.dirname, '../../sql/warehouse'))
  // About 540 bytes per row, like a firm.
  await sql`
    create table warehouse.bench as
    select n as id, 'ADVISER NUMBER ' || n || ', LLC' as legal_name, '801-' || n as sec_number, md5(n::text) || md5((n + 1)::text) as a, md5((n + 2)::text) as b,
      (random() * 1e9)::numeric(20, 2) as assets, now() - n * interval '1 second' as changed_at, 'WWW.EXAMPLE' || n || '.EXAMPLE' as website,
      repeat('NEW YORK, NY ', 8) as street, n % 2 = 0 as flag, repeat('approved ', 10) as status
    from generate_series(1, ${ROWS}::integer) n
  `.execute(warehouse.db)
  await sql`vacuum analyze warehouse.bench`.execute(warehouse.db)

  const memory = peakMemory()
  const [bare, gzipped, snapshot] = (await measureInTurns(
    [
      async () => {
        const client = await warehouse.pool.connect()
        const copied = copyOut(client, 'select * from warehouse.bench')
        await pipeline(copied.stream, drain())
        client.release()
      },
      async () => {
        const client = await warehouse.pool.connect()
        const copied = copyOut(client, 'select * from warehouse.bench')
        await pipeline(copied.stream, createGzip({ level: 1 }), drain())
        client.release()
      },
      async () => {
        await createSnapshot(warehouse, directorySink(join(folder, 'snapshots')), {
          clock: databaseClock(warehouse.db),
        })
      },
    ],
    5,
  )) as [Turn, Turn, Turn]
  const line = (name: string, { seconds, cpu }: Turn): void =>
    console.log(
      `${name.padEnd(30)} ${Math.round(ROWS / seconds).toLocaleString('en')} rows/s   ${(bare.seconds / seconds).toFixed(2)} of bare COPY   ` +
        `${((cpu / ROWS) * 1e6).toFixed(2)} us of processor time a row`,
    )
  line('bare COPY TO STDOUT', bare)
  line('COPY through gzip -1', gzipped)
  line('snapshot (gzip, sha256, fsync)', snapshot)
  console.log(`memory above the start: ${memory().toFixed(0)} MB`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

function drain(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
