import { randomBytes } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import { copyOut } from '../../src/lib/copy.ts'
import type { DatabaseClock } from '../../src/lib/database-clock.ts'
import { AppError } from '../../src/lib/errors.ts'
import type { Postgres, PostgresClient } from '../../src/lib/postgres.ts'
import { readSnapshot } from '../../src/lib/postgres.ts'
import type { Sink } from '../sinks/sink.ts'
import { readManifests } from './list-snapshots.ts'
import type { ExportedTable } from './list-tables.ts'
import { listTables } from './list-tables.ts'
import type { Manifest, SnapshotTable } from './manifest.ts'
import { manifestKey, partFolder } from './manifest.ts'
import { publishLatest } from './publish-latest.ts'
import { spreadsheetSafe } from './spreadsheet.ts'
import { writeTable } from './write-table.ts'

export interface SnapshotOptions {
  /** `exact` is for programs. `spreadsheet` escapes formulas and is for use in spreadsheets. @default exact */
  variant?: 'exact' | 'spreadsheet'
  /** Views of schema `warehouse` to export in addition to its tables. */
  views?: readonly string[]
  /** Uncompressed size of a part file. @default 256 MiB */
  partBytes?: number
  /** @default the current time and a random suffix */
  id?: string
  /** The warehouse's clock, used for the snapshot's name and date but not to order snapshots. */
  clock: DatabaseClock
  signal?: AbortSignal
  /** Called after each table. The export waits for the returned promise. */
  onTable?: (table: SnapshotTable) => void | Promise<void>
}

export interface CreatedSnapshot {
  manifest: Manifest
  /** Whether `latest.json` points to this snapshot. False if a newer one exists, and for the spreadsheet variant. */
  isLatest: boolean
}

/**
 * Exports every table of the warehouse from one database snapshot. Writes the parts, then the manifest, then the
 * pointer to it. An interrupted export leaves parts without a manifest, and the previous snapshot remains the latest.
 */
export async function createSnapshot(
  warehouse: Pick<Postgres<unknown>, 'pool'>,
  sink: Sink,
  options: SnapshotOptions,
): Promise<CreatedSnapshot> {
  const createdAt = (await options.clock.now()).toISOString()
  const id = options.id ?? `${createdAt.replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`
  const number = 1 + Math.max(0, ...(await readManifests(sink)).manifests.map((manifest) => manifest.number))
  const manifest = await readSnapshot(warehouse.pool, async (client): Promise<Manifest> => {
    const database = await describeState(client)
    const tables: SnapshotTable[] = []
    for (const table of await listTables(client, options.views ?? [])) {
      options.signal?.throwIfAborted()
      const folder = partFolder(table.name, createdAt.slice(0, 10), id)
      tables.push(await exportTable(client, sink, table, folder, options))
      await options.onTable?.(tables.at(-1) as SnapshotTable)
    }
    return {
      format: 'talhouse-snapshot/1',
      id,
      number,
      created_at: createdAt,
      snapshot_date: createdAt.slice(0, 10),
      database,
      csv: {
        delimiter: ',',
        quote: '"',
        header: true,
        variant: options.variant ?? 'exact',
        null: 'an empty field without quotes',
      },
      tables,
      watermarks: await readWatermarks(client),
      erasures: await readErasures(client),
    }
  })
  options.signal?.throwIfAborted()
  if (!(await sink.create(manifestKey(id), `${JSON.stringify(manifest, null, 2)}\n`))) {
    throw new AppError('conflict', `Snapshot ${id} already exists in ${sink.url}; snapshots are never overwritten.`)
  }
  return { manifest, isLatest: manifest.csv.variant === 'exact' && (await publishLatest(sink, manifest)) }
}

async function exportTable(
  client: PostgresClient,
  sink: Sink,
  table: ExportedTable,
  folder: string,
  options: SnapshotOptions,
): Promise<SnapshotTable> {
  const names = table.columns.map(({ name }) => name)
  const columns = names.map((name) => client.escapeIdentifier(name)).join(', ')
  const copied = copyOut(client, `select ${columns} from warehouse.${client.escapeIdentifier(table.name)}`, {
    header: false,
  })
  const records = options.variant === 'spreadsheet' ? spreadsheetSafe(copied.stream, table.columns) : copied.stream
  const parts = await writeTable(sink, {
    folder,
    header: stringify([names]),
    records,
    partBytes: options.partBytes ?? 256 * 1024 * 1024,
  })
  return { ...table, rows: copied.rows(), parts }
}

async function describeState(client: PostgresClient): Promise<Manifest['database']> {
  const { rows } = await client.query<Manifest['database']>(
    'select pg_current_snapshot()::text as transaction_snapshot, pg_current_wal_insert_lsn()::text as wal_position, now() as read_at',
  )
  return rows[0] as Manifest['database']
}

/** The warehouse's position in the feed of erasures. */
async function readErasures(client: PostgresClient): Promise<number> {
  const { rows } = await client.query<{ position: number }>('select position from sync.erasure_feed')
  return rows[0]?.position ?? 0
}

/** The lowest watermark of each pipeline. All changes before it have been pulled. */
async function readWatermarks(client: PostgresClient): Promise<Record<string, string>> {
  const { rows } = await client.query<{ pipeline: string; value: string }>(
    'select pipeline, min(value) as value from sync.watermark group by pipeline order by pipeline',
  )
  return Object.fromEntries(rows.map(({ pipeline, value }) => [pipeline, value]))
}
