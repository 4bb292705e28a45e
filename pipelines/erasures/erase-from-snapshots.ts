import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { Kysely } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import type { Macs } from '../../src/personal-data/macs.ts'
import { createMacs } from '../../src/personal-data/macs.ts'
import type { Matcher } from '../../src/personal-data/matcher.ts'
import { createMatcher } from '../../src/personal-data/matcher.ts'
import type { Subject } from '../../src/personal-data/subject.ts'
import { createSubject, isEmptySubject } from '../../src/personal-data/subject.ts'
import type { Sink } from '../sinks/sink.ts'
import { findTables, judgeSnapshotRow } from '../snapshot/find-person.ts'
import { readManifests } from '../snapshot/list-snapshots.ts'
import type { Manifest, SnapshotFormat, SnapshotTable } from '../snapshot/manifest.ts'
import { partFolder, partsOf, replaceManifest, SNAPSHOT_FORMATS } from '../snapshot/manifest.ts'
import { parquetColumn } from '../snapshot/parquet/column.ts'
import { toCopyText } from '../snapshot/parquet/copy-text.ts'
import { writeParquet } from '../snapshot/parquet/write-parquet.ts'
import type { Cells } from '../snapshot/rows.ts'
import { readRows, toRecord, toRow, withChanges } from '../snapshot/rows.ts'
import { writeTable } from '../snapshot/write-table.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { addSuppressed } from './apply-erasures.ts'
import { REVEALING_TABLES } from './marks-in-row.ts'

const PART_BYTES = 256 * 1024 * 1024

/** The suppression list up to a position in the feed. */
interface Suppressed {
  macs: Macs
  position: number
  /** Returns the keyed hashes that were added after the given position. */
  since(position: number): Promise<ReadonlySet<string>>
}

/**
 * Rewrites the snapshots that contain people who were erased after the snapshots were created. Returns the ids of the
 * rewritten snapshots, and of snapshots that cannot be rewritten because their manifest or a part is damaged.
 */
export async function eraseFromSnapshots(
  db: Kysely<WarehouseTables>,
  sink: Sink,
  signal: AbortSignal,
): Promise<{ rewritten: string[]; damaged: string[] }> {
  const feed = await db.selectFrom('sync.erasure_feed').select(['hmac_key', 'position']).executeTakeFirst()
  if (!feed || feed.position === 0) return { rewritten: [], damaged: [] }
  const suppressed: Suppressed = {
    macs: createMacs(Buffer.from(feed.hmac_key, 'hex')),
    position: feed.position,
    async since(position) {
      const added = db.selectFrom('sync.suppressed_person').select('mac').where('position', '>', position)
      return new Set((await added.execute()).map(({ mac }) => mac))
    },
  }
  const { manifests, damaged } = await readManifests(sink)
  const rewritten: string[] = []
  for (const manifest of manifests) {
    signal.throwIfAborted()
    if ((manifest.erasures ?? 0) >= feed.position) continue
    try {
      if (await eraseFromSnapshot(sink, manifest, suppressed)) rewritten.push(manifest.id)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'bad_input')) throw error
      damaged.push(manifest.id)
    }
  }
  return { rewritten, damaged }
}

/**
 * Writes new parts, then the manifest, then removes the old parts, and only then records the position in the manifest,
 * so that an interrupted rewrite is repeated. Returns whether the snapshot contained any of the people.
 */
async function eraseFromSnapshot(sink: Sink, manifest: Manifest, suppressed: Suppressed): Promise<boolean> {
  const matcher = createMatcher(await findSubject(sink, manifest, suppressed))
  const named = isEmptySubject(matcher.subject) ? [] : await findTables(sink, manifest, matcher)
  const tables = new Map<string, SnapshotTable>()
  for (const table of named)
    tables.set(table.name, await rewriteTable(sink, manifest, table, matcher, suppressed.position))
  const clean = { ...manifest, tables: manifest.tables.map((table) => tables.get(table.name) ?? table) }
  if (tables.size > 0) await replaceManifest(sink, clean)
  await removeUnlisted(sink, clean)
  await replaceManifest(sink, { ...clean, erasures: suppressed.position })
  return tables.size > 0
}

/** Collects the identifiers of suppressed people from the snapshot's rows. */
async function findSubject(sink: Sink, { tables, erasures = 0 }: Manifest, suppressed: Suppressed): Promise<Subject> {
  const subject = createSubject()
  const added = await suppressed.since(erasures)
  if (added.size === 0) return subject
  for (const name of REVEALING_TABLES) {
    const table = tables.find((one) => one.name === name)
    if (!table) continue
    for await (const cells of readRows(sink, table))
      addSuppressed(subject, name, toRow(table, cells), suppressed.macs, added)
  }
  return subject
}

/** Writes the table without the erased data to a new folder named after the feed position. */
async function rewriteTable(
  sink: Sink,
  { id, snapshot_date, csv }: Manifest,
  table: SnapshotTable,
  matcher: Matcher,
  position: number,
): Promise<SnapshotTable> {
  let rows = 0
  async function* staying(): AsyncGenerator<Cells> {
    for await (const cells of readRows(sink, table)) {
      const verdict = judgeSnapshotRow(table.name, toRow(table, cells), matcher)
      if (verdict !== 'delete') yield verdict === 'keep' ? cells : withChanges(table, cells, verdict)
    }
  }
  async function* records(): AsyncGenerator<Buffer> {
    for await (const cells of staying()) {
      rows += 1
      yield Buffer.from(toRecord(cells))
    }
  }
  const folder = (format: SnapshotFormat) => `${partFolder(table.name, snapshot_date, id, format)}erased-${position}/`
  const parts = await writeTable(sink, {
    folder: folder('csv'),
    header: stringify([table.columns.map(({ name }) => name)]),
    records: Readable.from(records()),
    partBytes: PART_BYTES,
    compression: csv.compression,
  })
  if (!table.parquet) return { ...table, rows, parts }
  const { text_columns } = table.parquet
  const columns = table.columns.map((column) => parquetColumn(column, text_columns.includes(column.name)))
  const parquet = await writeParquet(sink, {
    folder: folder('parquet'),
    columns,
    rows: asCopyText(staying()),
    partBytes: PART_BYTES,
  })
  return { ...table, rows, parts, parquet: { parts: parquet, text_columns } }
}

async function* asCopyText(rows: AsyncIterable<Cells>): AsyncGenerator<Buffer> {
  for await (const cells of rows) yield Buffer.from(toCopyText(cells))
}

/** Removes parts that the manifest does not list: replaced parts, and parts left behind by interrupted rewrites. */
async function removeUnlisted(sink: Sink, { id, snapshot_date, tables }: Manifest): Promise<void> {
  const listed = new Set(tables.flatMap(partsOf).map(({ key }) => key))
  for (const { name } of tables) {
    for (const format of SNAPSHOT_FORMATS) {
      const unlisted: string[] = []
      for await (const { key } of sink.list(partFolder(name, snapshot_date, id, format)))
        if (!listed.has(key)) unlisted.push(key)
      await sink.remove(unlisted)
    }
  }
}
