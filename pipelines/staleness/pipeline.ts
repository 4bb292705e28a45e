import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { sum } from '../../src/lib/sum.ts'
import { nightOf } from '../runner/night.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import type { FreshnessState, WarehouseTables } from '../warehouse/tables.ts'
import type { StateCounts } from './fresh-share.ts'
import { freshShare } from './fresh-share.ts'
import { writeGroups } from './groups.ts'
import { writeTargets } from './targets.ts'

/**
 * Stores the number of members in each freshness state for the night, and the unit forecast. `warehouse.tal_freshness`
 * contains the current states.
 */
export const staleness: Pipeline = {
  name: 'staleness',
  async run(context) {
    const { db } = context.warehouse
    await writeTargets(db, context.settings.freshness)
    await writeGroups(db, context.settings.enrich.groups)
    const members = await countByState(db)
    const total = sum(Object.values(members))
    context.progress(total, total)
    const night = await nightOf(context)
    await writeNight(db, night, members, context.runId)
    await writeForecast(db, night, context.runId)
    const share = freshShare(members)
    const target = context.settings.freshness.target_share
    if (share === undefined || share >= target) return { reasons: [] }
    const percent = (value: number): string => `${Math.floor(value * 100)} %`
    return {
      reasons: [
        `${percent(share)} of ${total} members are fresh, below pipelines.freshness.target_share (${percent(target)}): ${members.never ?? 0} never enriched, ${members.stale ?? 0} stale, ${members.failing ?? 0} failing`,
      ],
    }
  },
}

async function countByState(db: Kysely<WarehouseTables>): Promise<StateCounts> {
  const { rows } = await sql<{ state: FreshnessState; members: number }>`
    select state, count(*)::integer as members from warehouse.tal_freshness group by state
  `.execute(db)
  return Object.fromEntries(rows.map(({ state, members }) => [state, members]))
}

/** Writes only changed rows, because an upsert also locks the rows that it does not change. */
async function writeNight(
  db: Kysely<WarehouseTables>,
  night: string,
  members: StateCounts,
  runId: number,
): Promise<void> {
  const [states, counts] = [Object.keys(members), Object.values(members)]
  await db.transaction().execute(async (trx) => {
    await sql`
      delete from warehouse.freshness_by_night where night = ${night}::date and state <> all (${states}::text[])`.execute(
      trx,
    )
    await sql`
      insert into warehouse.freshness_by_night (night, state, members, run_id)
      select ${night}::date, state, members, ${runId} from unnest(${states}::text[], ${counts}::integer[]) as counted (state, members)
      where (state, members) not in (select state, members from warehouse.freshness_by_night where night = ${night}::date)
      on conflict (night, state) do update set members = excluded.members, run_id = excluded.run_id`.execute(trx)
  })
}

/** Stores the unit forecast for the coming nights, so that it can later be compared with actual spending. */
async function writeForecast(db: Kysely<WarehouseTables>, night: string, runId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      delete from warehouse.forecast_by_night
      where made_on = ${night}::date and night not in (select night from warehouse.units_forecast)`.execute(trx)
    await sql`
      insert into warehouse.forecast_by_night (made_on, night, units, run_id)
      select ${night}::date, night, units, ${runId} from warehouse.units_forecast
      where (night, units) not in (select night, units from warehouse.forecast_by_night where made_on = ${night}::date)
      on conflict (made_on, night) do update set units = excluded.units, run_id = excluded.run_id`.execute(trx)
  })
}
