import type { Sink } from '../sinks/sink.ts'
import { listSnapshotIds } from './list-snapshots.ts'
import { LATEST_KEY, MANIFESTS, manifestKey, readLatest, readManifest } from './manifest.ts'

export interface Expired {
  snapshots: string[]
  /** Parts of publishers that were killed, and uploads that nobody finished. */
  leftovers: number
}

/** A publisher may still be at work on what no manifest names yet. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/** Removes all but the newest `keep` snapshots, and what killed publishers left behind more than a day ago. Never the latest one. */
export async function expireSnapshots(sink: Sink, keep: number, now: Date): Promise<Expired> {
  const latest = (await readLatest(sink))?.latest.id
  const manifests = await Promise.all((await listSnapshotIds(sink)).map((id) => readManifest(sink, id)))
  const newestFirst = manifests.sort((a, b) => b.created_at.localeCompare(a.created_at))
  const expired = newestFirst.slice(Math.max(1, keep)).filter(({ id }) => id !== latest)
  for (const { id, tables } of expired) {
    await sink.remove([manifestKey(id)]) // first: a snapshot without its manifest is none, and nobody reads half of it
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
