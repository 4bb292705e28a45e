import { AppError } from '../../src/lib/errors.ts'
import { sum } from '../../src/lib/sum.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Manifest } from './manifest.ts'
import { MANIFESTS, partsOf, readLatest, readManifest } from './manifest.ts'
import { compareOrder } from './snapshot-order.ts'

export interface SnapshotSummary {
  id: string
  created_at: string
  tables: number
  rows: number
  /** Compressed size. */
  bytes: number
  variant: 'exact' | 'spreadsheet'
  latest: boolean
}

/** The manifests of all complete snapshots, newest first, and the ids of snapshots whose manifest is damaged. */
export async function readManifests(sink: Sink): Promise<{ manifests: Manifest[]; damaged: string[] }> {
  const ids: string[] = []
  for await (const { key } of sink.list(MANIFESTS)) {
    const id = /run=([^/]+)\/manifest\.json$/.exec(key)?.[1]
    if (id !== undefined) ids.push(id)
  }
  const damaged: string[] = []
  const read = await Promise.all(
    ids.sort().map((id) =>
      readManifest(sink, id).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'bad_input') damaged.push(id)
        else if (error.code !== 'not_found') throw error // not found: the snapshot has expired in the meantime
        return undefined
      }),
    ),
  )
  const manifests = read.filter((manifest) => manifest !== undefined)
  return { manifests: manifests.sort((a, b) => compareOrder(orderOf(b), orderOf(a))), damaged: damaged.sort() }
}

const orderOf = ({ number, database: { wal_position } }: Manifest) => ({ number, wal_position })

/** The message about a snapshot that is neither listed nor removed, because its manifest is damaged. */
export const damagedReason = (id: string): string =>
  `the manifest of snapshot ${id} is damaged. Its files were kept; delete the folders run=${id} if you no longer need them`

/** All complete snapshots, newest first, and the ids of snapshots whose manifest is damaged. */
export async function listSnapshots(sink: Sink): Promise<{ snapshots: SnapshotSummary[]; damaged: string[] }> {
  const latest = (await readLatest(sink))?.id
  const { manifests, damaged } = await readManifests(sink)
  const snapshots = manifests.map(({ id, created_at, tables, csv }) => ({
    id,
    created_at,
    tables: tables.length,
    rows: sum(tables.map(({ rows }) => rows)),
    bytes: sum(tables.flatMap(partsOf).map(({ bytes }) => bytes)),
    variant: csv.variant,
    latest: id === latest,
  }))
  return { snapshots, damaged }
}
