import type { Sink } from '../sinks/sink.ts'
import { readManifests } from './list-snapshots.ts'
import { LATEST_KEY, MANIFESTS, manifestKey, partsOf, readLatest } from './manifest.ts'

export interface Expired {
  snapshots: string[]
  /** Number of leftovers removed: parts without a manifest, and unfinished uploads. */
  leftovers: number
  /** Snapshots with a damaged manifest. They are kept. */
  damaged: string[]
}

/** Minimum age of a leftover. Younger parts without a manifest may belong to an export in progress. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/**
 * Keeps the newest `keep` snapshots of each variant and the latest snapshot, and removes all others. Also removes
 * leftovers from interrupted exports that are at least a day older than the sink's newest object, according to the
 * sink's timestamps.
 */
export async function expireSnapshots(sink: Sink, keep: number): Promise<Expired> {
  const latest = (await readLatest(sink))?.id
  const { manifests, damaged } = await readManifests(sink)
  const byVariant = Map.groupBy(manifests, ({ csv }) => csv.variant)
  const expired = [...byVariant.values()]
    .flatMap((newestFirst) => newestFirst.slice(Math.max(1, keep)))
    .filter(({ id }) => id !== latest)
  for (const { id, tables } of expired) {
    await sink.remove([manifestKey(id)]) // before the parts, so that readers never see a partial snapshot
    await sink.remove(tables.flatMap(partsOf).map(({ key }) => key))
  }
  const kept = manifests.filter((manifest) => !expired.includes(manifest)).map(({ id }) => id)
  const leftovers = await removeLeftovers(sink, new Set([...kept, ...damaged]))
  return { snapshots: expired.map(({ id }) => id), leftovers, damaged }
}

async function removeLeftovers(sink: Sink, kept: ReadonlySet<string>): Promise<number> {
  const unnamed: { key: string; at: number }[] = []
  let newest = 0
  for await (const { key, modified } of sink.list('')) {
    const at = Date.parse(modified)
    newest = Math.max(newest, at)
    const id = /\/run=([^/]+)\/(?:erased-\d+\/)?part-\d+\.(?:csv\.gz|csv\.zst|parquet)$/.exec(key)?.[1]
    if (id === undefined || key === LATEST_KEY || key.startsWith(MANIFESTS)) continue
    if (!kept.has(id)) unnamed.push({ key, at })
  }
  const before = newest - LEFTOVER_AGE_MS
  const orphans = unnamed.flatMap(({ key, at }) => (at < before ? [key] : []))
  await sink.remove(orphans)
  return orphans.length + (await sink.abandonUnfinished(new Date(before)))
}
