import { sql } from 'kysely'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import type { Page } from '../walk/page.ts'
import type { Walk } from '../walk/walks.ts'
import { closeWalk, freezeStart, latestVersion, recordKeyless } from '../walk/walks.ts'
import { countUnresolved } from '../warehouse/quarantine.ts'
import { extendCoverage } from './coverage.ts'
import type { FirmRecord } from './fetch-page.ts'
import { startOf } from './walk-steps.ts'

/**
 * Ends a new walk after its first page if the service reports the version of all firms that the latest complete walk
 * has pulled. Returns whether it did. Does not trust the version if firms are missing from the warehouse or records
 * were rejected.
 */
export async function confirmUnchanged(context: RunContext, walk: Walk, first: Page<FirmRecord>): Promise<boolean> {
  const { db } = context.warehouse
  const start = startOf(first)
  // A walk with a stored total is resumed, and has written rows.
  if (start.data_version === null || start.total_at_start === null || walk.total_at_start !== null) return false
  if ((await latestVersion(db, walk.stream)) !== start.data_version) return false
  if ((await countLive(context)) !== start.total_at_start || (await countUnresolved(db, ['firm'])) > 0) return false
  await db.transaction().execute(async (trx) => {
    await freezeStart(trx, walk.id, start)
    await recordKeyless(trx, walk.id, 0, first.asOf ?? null)
    await extendCoverage(trx, { ...walk, data_as_of: first.asOf ?? null }, context.runId)
    await closeWalk(trx, walk.id)
  })
  addCounts(context.counts, { unchanged: start.total_at_start })
  context.progress(start.total_at_start, start.total_at_start)
  return true
}

async function countLive({ warehouse: { db } }: RunContext): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*) as live from warehouse.firm where gone_at is null
  `.execute(db)
  return rows[0]?.live ?? 0
}
