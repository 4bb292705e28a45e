import type { Sink } from '../sinks/sink.ts'
import type { Latest, Manifest } from './manifest.ts'
import { LATEST_KEY, manifestKey, readLatest } from './manifest.ts'

/** Points `latest.json` to the snapshot, unless it points to a newer one. The write is conditional, so the newer of two concurrent exports wins. */
export async function publishLatest(sink: Sink, manifest: Manifest): Promise<boolean> {
  const latest: Latest = { id: manifest.id, manifest: manifestKey(manifest.id), created_at: manifest.created_at }
  for (;;) {
    const present = await readLatest(sink)
    if (present && present.latest.created_at > latest.created_at) return false
    if (await sink.replace(LATEST_KEY, `${JSON.stringify(latest, null, 2)}\n`, present?.tag ?? null)) return true
  }
}
