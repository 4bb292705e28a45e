import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { applyErasures } from './apply-erasures.ts'
import { eraseFromSnapshots } from './erase-from-snapshots.ts'
import { fetchErasures } from './fetch-erasures.ts'

/**
 * Erases people from the warehouse and its snapshots after the service has erased them. Each snapshot's manifest
 * records a position in the feed, so an interrupted run resumes. Does nothing if the host has no erasure feed.
 */
export const erasures: Pipeline = {
  name: 'erasures',
  async run(context) {
    const { client, warehouse, signal, runId, counts, log, snapshots } = context
    const state = await readState(context)
    const fetched = await fetchErasures(client, state, signal)
    if (fetched && (fetched.erasures.length > 0 || fetched.isOtherService || !state))
      counts.gone += await applyErasures(warehouse.db, fetched, runId)
    const { rewritten, damaged } = await eraseFromSnapshots(warehouse.db, await snapshots.open(), signal)
    if (rewritten.length > 0) log.info({ snapshots: rewritten }, 'snapshots rewritten without erased people')
    return {
      reasons: damaged.map(
        (id) =>
          `snapshot ${id} may contain erased people: its manifest or a part is damaged; delete the folders run=${id}`,
      ),
    }
  },
}

const readState = ({ warehouse }: RunContext) =>
  warehouse.db.selectFrom('sync.erasure_feed').select(['hmac_key', 'position']).executeTakeFirst()
