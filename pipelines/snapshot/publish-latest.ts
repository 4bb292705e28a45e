import { text } from 'node:stream/consumers'
import { AppError } from '../../src/lib/errors.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Latest, Manifest } from './manifest.ts'
import { LATEST_KEY, manifestKey, parseAs, Latest as Schema } from './manifest.ts'
import { compareOrder } from './snapshot-order.ts'

/**
 * Points `latest.json` to the snapshot, unless it already points to a newer snapshot. Returns whether `latest.json` now
 * points to the snapshot. The write is conditional, so the newer of two concurrent exports wins. A damaged pointer is
 * replaced.
 */
export async function publishLatest(sink: Sink, manifest: Manifest): Promise<boolean> {
  const { id, number, created_at, database } = manifest
  const latest: Latest = {
    id,
    manifest: manifestKey(id),
    number,
    wal_position: database.wal_position,
    created_at,
  }
  for (;;) {
    const found = await sink.read(LATEST_KEY)
    const present = found && parsePointer(sink, await text(found.body))
    if (present && compareOrder(present, latest) > 0) return false
    if (await sink.replace(LATEST_KEY, `${JSON.stringify(latest, null, 2)}\n`, found?.tag ?? null)) return true
  }
}

function parsePointer(sink: Sink, json: string): Latest | undefined {
  try {
    return parseAs(Schema, json, `${sink.url}/${LATEST_KEY}`)
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_input') return undefined
    throw error
  }
}
