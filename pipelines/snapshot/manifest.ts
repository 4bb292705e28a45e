import { text } from 'node:stream/consumers'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '../../src/lib/errors.ts'
import type { Sink } from '../sinks/sink.ts'

const timestamp = Type.String({ description: 'ISO 8601, UTC' })

const Part = Type.Object({
  key: Type.String(),
  /** Compressed size, as stored. */
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'SHA-256 hash of the stored bytes, in hexadecimal' }),
})
export type Part = Static<typeof Part>

const ParquetPart = Type.Object({ ...Part.properties, rows: Type.Integer() })
export type ParquetPart = Static<typeof ParquetPart>

export const SNAPSHOT_FORMATS = ['csv', 'parquet'] as const
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number]
export const CSV_COMPRESSIONS = ['gzip', 'zstd'] as const
export type CsvCompression = (typeof CSV_COMPRESSIONS)[number]

const SnapshotTable = Type.Object({
  name: Type.String(),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String({ description: "PostgreSQL's name for the type" }),
      field_id: Type.Integer({ description: "The column's number in PostgreSQL, and its field id in Parquet" }),
    }),
  ),
  primary_key: Type.Array(Type.String()),
  rows: Type.Integer(),
  /** The table as CSV. */
  parts: Type.Array(Part),
  /** The same rows as Parquet, if the snapshot includes this format. */
  parquet: Type.Optional(
    Type.Object({
      parts: Type.Array(ParquetPart),
      text_columns: Type.Array(Type.String(), {
        description: 'Columns exported as text because a value does not fit the Parquet type',
      }),
    }),
  ),
})
export type SnapshotTable = Static<typeof SnapshotTable>

/**
 * Describes the contents of a snapshot. Readers start from the manifest instead of listing the sink, so they never read
 * unreferenced parts.
 */
export const Manifest = Type.Object({
  format: Type.Literal('talhouse-snapshot/1'),
  id: Type.String(),
  number: Type.Integer({
    description: 'Determines the order of snapshots: one more than the highest number when the export started',
  }),
  created_at: timestamp,
  snapshot_date: Type.String({ description: 'YYYY-MM-DD, UTC' }),
  /** The database snapshot from which all tables were read. */
  database: Type.Object({ transaction_snapshot: Type.String(), wal_position: Type.String(), read_at: timestamp }),
  csv: Type.Object({
    delimiter: Type.Literal(','),
    quote: Type.Literal('"'),
    header: Type.Literal(true),
    compression: Type.Enum([...CSV_COMPRESSIONS]),
    /** In the `spreadsheet` variant, an apostrophe precedes cells that a spreadsheet would evaluate as formulas. */
    variant: Type.Enum(['exact', 'spreadsheet']),
    null: Type.Literal('an empty field without quotes'),
  }),
  tables: Type.Array(SnapshotTable),
  /** The lowest watermark of each pipeline. */
  watermarks: Type.Record(Type.String(), Type.String()),
  erasures: Type.Optional(
    Type.Integer({
      description: "Position in the service's erasure feed. The snapshot contains no person erased up to this position",
    }),
  ),
})
export type Manifest = Static<typeof Manifest>

/** The content of `latest.json`, which points to the newest complete snapshot. */
export const Latest = Type.Object({
  id: Type.String(),
  manifest: Type.String(),
  number: Type.Integer(),
  wal_position: Type.String(),
  created_at: timestamp,
})
export type Latest = Static<typeof Latest>

export const LATEST_KEY = 'latest.json'
export const MANIFESTS = '_snapshots/'

export const manifestKey = (id: string): string => `${MANIFESTS}run=${id}/manifest.json`

/**
 * The folder of a table's parts. Parquet has a separate root, because engines read all files below a table's folder.
 */
export const partFolder = (table: string, date: string, id: string, format: SnapshotFormat = 'csv'): string =>
  `${format === 'csv' ? '' : `${format}/`}${table}/snapshot_date=${date}/run=${id}/`

/** The part files of a table in all formats. */
export const partsOf = ({ parts, parquet }: SnapshotTable): Part[] => [...parts, ...(parquet?.parts ?? [])]

/** Reads `latest.json`. Returns undefined before the first snapshot. */
export async function readLatest(sink: Sink): Promise<Latest | undefined> {
  const found = await sink.read(LATEST_KEY)
  return found && parseAs(Latest, await text(found.body), `${sink.url}/${LATEST_KEY}`)
}

/** Reads a snapshot's manifest. Without `id`, reads the manifest of the latest snapshot. */
export async function readManifest(sink: Sink, id?: string): Promise<Manifest> {
  const wanted = id ?? (await readLatest(sink))?.id
  if (wanted === undefined)
    throw new AppError('not_found', `There is no snapshot in ${sink.url}. Run \`talhouse snapshot create\`.`)
  const found = await sink.read(manifestKey(wanted))
  if (!found)
    throw new AppError(
      'not_found',
      `There is no snapshot ${wanted} in ${sink.url}. Run \`talhouse snapshot list\` to list all snapshots.`,
    )
  return parseAs(Manifest, await text(found.body), `${sink.url}/${manifestKey(wanted)}`)
}

/**
 * Replaces the manifest of an existing snapshot. Only the `erasures` pipeline calls this function, and only one run of
 * that pipeline executes at a time.
 */
export async function replaceManifest(sink: Sink, manifest: Manifest): Promise<void> {
  const key = manifestKey(manifest.id)
  const found = await sink.read(key)
  if (found) await text(found.body) // releases the connection
  const isReplaced = found && (await sink.replace(key, `${JSON.stringify(manifest, null, 2)}\n`, found.tag))
  if (!isReplaced) throw new AppError('conflict', `Snapshot ${manifest.id} changed or expired during an erasure.`)
}

export function parseAs<Schema extends typeof Manifest | typeof Latest>(
  schema: Schema,
  json: string,
  where: string,
): Static<Schema> {
  try {
    return Value.Parse(schema, JSON.parse(json)) as Static<Schema>
  } catch (error) {
    throw new AppError('bad_input', `${where} is damaged, or was not written by talhouse.`, {
      cause: error,
    })
  }
}
