import type { Sink } from '../sinks/sink.ts'
import { listSnapshotIds } from './list-snapshots.ts'
import { LATEST_KEY, MANIFESTS, manifestKey, readLatest, readManifest } from './manifest.ts'

export interface Expired {
  snapshots: string[]
  /** Parts without a manifest, and unfinished uploads. */
  leftovers: number
}

/** Younger parts without a manifest may belong to an export in progress. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/** Removes all but the newest `keep` snapshots, and leftovers of interrupted exports older than a day. Never the latest snapshot. */
export async function expireSnapshots(sink: Sink, keep: number, now: Date): Promise<Expired> {
  const latest = (await readLatest(sink))?.latest.id
  const manifests = await Promise.all((await listSnapshotIds(sink)).map((id) => readManifest(sink, id)))
  const newestFirst = manifests.sort((a, b) => b.created_at.localeCompare(a.created_at))
  const expired = newestFirst.slice(Math.max(1, keep)).filter(({ id }) => id !== latest)
  for (const { id, tables } of expired) {
    await sink.remove([manifestKey(id)]) // first, so readers never see half a snapshot
    await sink.remove(tables.flatMap(({ parts }) => parts.map(({ key }) => key)))
  }
  const kept = new Set(newestFirst.filter((manifest) => !expired.includes(manifest)).map(({ id }) => id))
  return { snapshots: expired.map(({ id }) => id), leftovers: await removeLeftovers(sink, kept, now) }
}

async function removeLeftovers(sink: Sink, kept: ReadonlySet<string>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - LEFTOVER_AGE_MS)
  const orphans: string[] = []
  for await (const { key, modified } of sink.list('')) {
    const id = /\/run=([^/]+)\/part-\d+\.csv\.gz$/.exec(key)?.[1]
    if (id === undefined || key === LATEST_KEY || key.startsWith(MANIFESTS)) continue
    if (!kept.has(id) && new Date(modified) < before) orphans.push(key)
  }
  await sink.remove(orphans)
  return orphans.length + (await sink.abandonUnfinished(before))
}
