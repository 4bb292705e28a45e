import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AnyUsage } from '../../src/client/work.ts'
import type { PipelineSettings } from '../settings.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { spentUnits } from './submissions.ts'

type Db = Kysely<WarehouseTables>

export interface Due {
  domain: string
  state: 'never' | 'stale'
  max_age_days: number
}

export interface Chosen {
  /** All that are due, the most urgent first. */
  due: Due[]
  /** Those of tonight. */
  tonight: Due[]
  /** Why the others wait, when it is money that holds them; undefined when it is the even spreading, or nothing. */
  heldByBudget: string | undefined
}

/** What tonight enriches: as much of the due list as the budgets hold, the stale part of it spread over the nights. */
export async function chooseDue(db: Db, night: string, usage: AnyUsage, settings: PipelineSettings): Promise<Chosen> {
  const due = await listDue(db)
  const spread = due.slice(0, await spreadLimit(db, due, settings))
  const ofNight = settings.enrich.units_per_night - (await spentUnits(db, night))
  const ofPeriod =
    usage.overage_allowed === true ? Number.POSITIVE_INFINITY : usage.units_remaining - settings.enrich.keep_units
  const units = Math.max(0, Math.floor(Math.min(ofNight, ofPeriod)))
  const tonight = spread.slice(0, units)
  const held = spread.length - tonight.length
  const why =
    ofPeriod < ofNight
      ? `the period has ${usage.units_remaining} units left, of which ${settings.enrich.keep_units} are kept`
      : `the night may spend ${settings.enrich.units_per_night} units`
  return { due, tonight, heldByBudget: held > 0 ? `${held} due companies wait: ${why}` : undefined }
}

async function listDue(db: Db): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select due.domain, due.state, freshness.max_age_days
    from warehouse.due_list due join warehouse.tal_freshness freshness using (domain)
    order by due.place
  `.execute(db)
  return rows
}

/** Never enriched companies do not wait; of the stale ones, so many that a list that was enriched in one night is spread by and by. */
async function spreadLimit(db: Db, due: readonly Due[], { enrich, freshness }: PipelineSettings): Promise<number> {
  if (enrich.spread === 0) return due.length
  const { rows } = await sql<{
    members: number
  }>`select count(*)::integer as members from warehouse.tal_member where gone_at is null`.execute(db)
  const even = (rows[0]?.members ?? 0) / freshness.max_age_days
  return due.filter(({ state }) => state === 'never').length + Math.ceil(even * enrich.spread)
}
