/**
 * `npm run bench -- snapshot [rows]`: compares snapshots of generated firms in CSV (gzip, zstd) and Parquet with a bare
 * `COPY ... TO STDOUT` that uses the same connection settings, and with that COPY piped through gzip without a sink.
 * Prints rows per second, the ratio, the bytes and the peak memory.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { directorySink } from '../../pipelines/sinks/directory.ts'
import { createSnapshot } from '../../pipelines/snapshot/create-snapshot.ts'
import { listTables } from '../../pipelines/snapshot/list-tables.ts'
import type { SnapshotFormat } from '../../pipelines/snapshot/manifest.ts'
import { parquetColumn } from '../../pipelines/snapshot/parquet/column.ts'
import { wholeRows } from '../../pipelines/snapshot/parquet/copy-text.ts'
import { writeParquet } from '../../pipelines/snapshot/parquet/write-parquet.ts'
import { copyOut, copyOutText } from '../../src/lib/copy.ts'
import { databaseClock } from '../../src/lib/database-clock.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import type { PostgresClient } from '../../src/lib/postgres.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import { generateFirms } from '../helpers/generated-firms.ts'
import type { Turn } from './measure.ts'
import { measureInTurns, peakMemory } from './measure.ts'

const ROWS = Number(process.argv[2] ?? 200_000)
const folder = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
try {
  await using server = await startEmbeddedPostgres({ dataDir: folder, port: 0 })
  await ensureDatabase(server.url('bench'))
  await using warehouse = openPostgres<unknown>(server.url('bench'), { log: silentLog, name: 'bench' })
  await migrate(warehouse.db, join(import.meta.dirname, '../../sql/warehouse'))
  const columns = await generateFirms(warehouse, ROWS)
  console.log(`${ROWS.toLocaleString('en')} firms with ${columns} columns`)

  const sink = directorySink(join(folder, 'snapshots'))
  const onConnection = async (work: (client: PostgresClient) => Promise<unknown>): Promise<void> => {
    const client = await warehouse.pool.connect()
    await work(client)
    client.release()
  }
  const snapshotIn =
    (formats: SnapshotFormat[], csvCompression: 'gzip' | 'zstd' = 'gzip') =>
    () =>
      createSnapshot(warehouse, sink, { clock: databaseClock(warehouse.db), formats, csvCompression })
  const contenders: [string, () => Promise<unknown>][] = [
    [
      'bare COPY TO STDOUT',
      () => onConnection((client) => pipeline(copyOut(client, 'select * from warehouse.firm').stream, drain())),
    ],
    [
      'COPY through gzip -1',
      () =>
        onConnection((client) =>
          pipeline(copyOut(client, 'select * from warehouse.firm').stream, createGzip({ level: 1 }), drain()),
        ),
    ],
    ['snapshot: CSV, gzip', snapshotIn(['csv'])],
    ['snapshot: CSV, zstd', snapshotIn(['csv'], 'zstd')],
    ['snapshot: CSV and Parquet', snapshotIn(['csv', 'parquet'])],
    [
      'Parquet without CSV',
      () =>
        onConnection(async (client) => {
          const firm = (await listTables(client, [])).find(({ name }) => name === 'firm')
          await writeParquet(sink, {
            folder: 'alone/',
            columns: (firm?.columns ?? []).map((column) => parquetColumn(column, false)),
            rows: wholeRows(copyOutText(client, 'select * from warehouse.firm')),
            partBytes: 256 * 1024 * 1024,
          })
        }),
    ],
  ]
  const peaks: number[] = []
  const turns = await measureInTurns(
    contenders.map(([, work], index) => async () => {
      const memory = peakMemory()
      await work()
      peaks[index] = Math.max(peaks[index] ?? 0, memory())
    }),
    2,
  )
  const [bare] = turns as [Turn]
  for (const [index, { seconds, cpu }] of turns.entries()) {
    const rate = Math.round(ROWS / seconds).toLocaleString('en')
    console.log(
      `${contenders[index]?.[0]?.padEnd(28)} ${rate.padStart(9)} rows/s  ${(bare.seconds / seconds).toFixed(2)} of bare COPY  ` +
        `${((cpu / ROWS) * 1e6).toFixed(1)} us of processor time a row  +${peaks[index]?.toFixed(0)} MB`,
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

function drain(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
