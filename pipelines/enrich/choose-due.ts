import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AnyUsage } from '../../src/client/enrichment.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import type { Group } from '../staleness/groups.ts'
import { GROUP_NAMES, GROUPS } from '../staleness/groups.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { spentUnits } from './submissions.ts'

type Db = Kysely<WarehouseTables>

export interface Due {
  domain: string
  state: 'never' | 'stale'
}

/** The companies whose field group is bought tonight. */
export interface ChosenGroup {
  group: Group
  /** All due companies, most urgent first. */
  due: Due[]
  /** Those bought tonight. */
  tonight: Due[]
}

export interface Chosen {
  groups: ChosenGroup[]
  /** Which companies wait for budget; undefined if none do. */
  heldByBudget: string | undefined
}

/** Chooses as many due companies as the budgets allow; stale ones are spread over several nights. */
export async function chooseDue(db: Db, night: string, usage: AnyUsage, settings: PipelineSettings): Promise<Chosen> {
  const ofNight = settings.enrich.units_per_night - (await spentUnits(db, night))
  const ofPeriod =
    usage.overage_allowed === true ? Number.POSITIVE_INFINITY : usage.units_remaining - settings.enrich.keep_units
  let units = Math.max(0, Math.floor(Math.min(ofNight, ofPeriod)))
  const groups: ChosenGroup[] = []
  const held: string[] = []
  for (const group of GROUP_NAMES.filter((name) => settings.enrich.groups.includes(name))) {
    const due = group === 'company' ? await listDue(db) : await listDueOfGroup(db, group)
    const spread = due.slice(0, await spreadLimit(db, due, settings))
    const tonight = spread.slice(0, Math.floor(units / GROUPS[group].units))
    units -= tonight.length * GROUPS[group].units
    groups.push({ group, due, tonight })
    const waiting = spread.length - tonight.length
    if (waiting > 0)
      held.push(group === 'company' ? `${waiting} due companies` : `the ${group} of ${waiting} companies`)
  }
  const why =
    ofPeriod < ofNight
      ? `the period has ${usage.units_remaining} units left, and keep_units reserves ${settings.enrich.keep_units}`
      : `units_per_night is ${settings.enrich.units_per_night}`
  return { groups, heldByBudget: held.length > 0 ? `${held.join(' and ')} wait for budget: ${why}` : undefined }
}

async function listDue(db: Db): Promise<Due[]> {
  const { rows } = await sql<Due>`select domain, state from warehouse.due_list order by rank`.execute(db)
  return rows
}

async function listDueOfGroup(db: Db, group: Group): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select domain, case when enriched_at is null then 'never' else 'stale' end as state
    from warehouse.group_freshness where field_group = ${group} and due_at <= now()
    order by enriched_at nulls first, domain
  `.execute(db)
  return rows
}

/** All never enriched companies, plus an even share of the stale ones, so a list enriched in one night spreads out gradually. */
async function spreadLimit(db: Db, due: readonly Due[], { enrich, freshness }: PipelineSettings): Promise<number> {
  if (enrich.spread === 0) return due.length
  const { rows } = await sql<{
    members: number
  }>`select count(*)::integer as members from warehouse.tal_member where gone_at is null`.execute(db)
  const even = (rows[0]?.members ?? 0) / freshness.max_age_days
  return due.filter(({ state }) => state === 'never').length + Math.ceil(even * enrich.spread)
}
