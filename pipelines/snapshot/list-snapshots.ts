import { sum } from '../../src/lib/sum.ts'
import type { Sink } from '../sinks/sink.ts'
import { MANIFESTS, readLatest, readManifest } from './manifest.ts'

export interface SnapshotSummary {
  id: string
  created_at: string
  tables: number
  rows: number
  /** Compressed. */
  bytes: number
  variant: 'exact' | 'spreadsheet'
  latest: boolean
}

/** The ids of all complete snapshots (those with a manifest), oldest first. */
export async function listSnapshotIds(sink: Sink): Promise<string[]> {
  const ids: string[] = []
  for await (const { key } of sink.list(MANIFESTS)) {
    const id = /run=([^/]+)\/manifest\.json$/.exec(key)?.[1]
    if (id !== undefined) ids.push(id)
  }
  return ids.sort()
}

/** All complete snapshots, newest first. */
export async function listSnapshots(sink: Sink): Promise<SnapshotSummary[]> {
  const latest = (await readLatest(sink))?.latest.id
  const summaries: SnapshotSummary[] = []
  for (const id of await listSnapshotIds(sink)) {
    const { created_at, tables, csv } = await readManifest(sink, id)
    summaries.push({
      id,
      created_at,
      tables: tables.length,
      rows: sum(tables.map(({ rows }) => rows)),
      bytes: sum(tables.flatMap(({ parts }) => parts.map(({ bytes }) => bytes))),
      variant: csv.variant,
      latest: id === latest,
    })
  }
  return summaries.sort((a, b) => b.created_at.localeCompare(a.created_at))
}
