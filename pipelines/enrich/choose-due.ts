import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AnyUsage } from '../host/replies.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import type { Group } from '../staleness/groups.ts'
import { GROUP_NAMES, GROUPS } from '../staleness/groups.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { readBudget } from './budget.ts'
import { spentUnits } from './submissions.ts'

type Db = Kysely<WarehouseTables>

export interface Due {
  domain: string
  state: 'never' | 'stale'
}

/** The companies that are due for a field group. */
export interface ChosenGroup {
  group: Group
  /** All due companies, most urgent first. */
  due: Due[]
  /** The due companies to enrich in this run. */
  tonight: Due[]
}

export interface Chosen {
  groups: ChosenGroup[]
  /** Units left in the budget after paying for the chosen companies at the interface's prices. */
  unspent: number
  /** The budget from which the companies were chosen. */
  unitsPerNight: number
  /** The reason due companies must wait, if the budget is exhausted. */
  heldByBudget: string | undefined
}

/** Chooses as many due companies as the budgets allow, and spreads stale companies over several nights. */
export async function chooseDue(db: Db, night: string, usage: AnyUsage, settings: PipelineSettings): Promise<Chosen> {
  const { units_per_night, keep_units } = await readBudget(db, settings.enrich)
  const ofNight = units_per_night - (await spentUnits(db, night))
  // With overage, the balance may become negative, unless keep_units reserves part of it.
  const hasNoLimit = usage.overage_allowed === true && keep_units === 0
  const ofPeriod = hasNoLimit ? Number.POSITIVE_INFINITY : usage.units_remaining - keep_units
  let units = Math.max(0, Math.min(ofNight, ofPeriod))
  const groups: ChosenGroup[] = []
  const held: string[] = []
  for (const group of GROUP_NAMES.filter((name) => settings.enrich.groups.includes(name))) {
    const due = group === 'company' ? await listDue(db) : await listDueOfGroup(db, group)
    const spread = due.slice(0, await spreadLimit(db, { night, group, due, spread: settings.enrich.spread }))
    const tonight = spread.slice(0, Math.floor(units / GROUPS[group].units))
    units -= tonight.length * GROUPS[group].units
    groups.push({ group, due, tonight })
    const waiting = spread.length - tonight.length
    if (waiting > 0)
      held.push(group === 'company' ? `${waiting} due companies` : `the ${group} of ${waiting} companies`)
  }
  const why =
    ofPeriod < ofNight
      ? `the period has ${usage.units_remaining} units left, and keep_units reserves ${keep_units}`
      : `units_per_night is ${units_per_night}`
  return {
    groups,
    unspent: units,
    unitsPerNight: units_per_night,
    heldByBudget: held.length > 0 ? `${held.join(' and ')} wait for budget: ${why}` : undefined,
  }
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

/**
 * Returns the maximum number of companies to enrich in this run: all that have never been enriched, plus `spread` times
 * the average number that become stale per night, minus the stale companies already submitted for the night. The limit
 * gradually spreads a list that was enriched in a single night over many nights.
 */
async function spreadLimit(
  db: Db,
  { night, group, due, spread }: { night: string; group: Group; due: readonly Due[]; spread: number },
): Promise<number> {
  if (spread === 0) return due.length
  const kinds = group === 'company' ? ['list', 'batch'] : [group]
  const members =
    group === 'company'
      ? sql`select max_age_days from warehouse.tal_freshness`
      : sql`select max_age_days from warehouse.group_freshness where field_group = ${group}`
  const { rows } = await sql<{ even: number; submitted: number }>`
    select coalesce((select sum(1 / max_age_days) from (${members}) member), 0)::double precision as even,
      coalesce((
        select sum(stale_companies) from warehouse.submission
        where night = ${night} and kind = any (${kinds}::text[]) and state not in ('void', 'refused')
      ), 0)::integer as submitted
  `.execute(db)
  const { even, submitted } = rows[0] as { even: number; submitted: number }
  const never = due.filter(({ state }) => state === 'never').length
  // The margin compensates for rounding errors in a sum of fractions, such as 60 times 1/30, which could raise the
  // limit by one.
  return never + Math.max(0, Math.ceil(even * spread - 1e-6) - submitted)
}
