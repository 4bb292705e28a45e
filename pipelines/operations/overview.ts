import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseOverview } from '../../src/contract/warehouse.ts'
import { databaseClock } from '../../src/lib/database-clock.ts'
import { readBudget } from '../enrich/budget.ts'
import type { Run } from '../runner/runs.ts'
import type { Schedule } from '../runner/schedule.ts'
import { nextDue } from '../runner/schedule.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import type { Sink } from '../sinks/sink.ts'
import { readLatest } from '../snapshot/manifest.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { countQuarantine } from './count-quarantine.ts'
import { describeRun } from './runs.ts'

export interface OverviewDeps {
  db: Kysely<WarehouseTables>
  schedule: Schedule & { readonly pipelines: readonly string[] }
  /** Target share of fresh members. */
  targetShare: number
  settings: Pick<PipelineSettings, 'enrich'>
  openSink: () => Promise<Sink>
}

const NIGHTS = 90
const MAX_NIGHT_RUNS = 120
const UPCOMING = 10
/** Minimum time between two reads of the latest snapshot or of the forecast. */
const MEMO_MS = 60_000

type Forecast = WarehouseOverview['forecast']
type Freshness = WarehouseOverview['freshness']

/**
 * Returns a function that reads the state of the warehouse. The forecast and the latest snapshot are cached, because
 * they are slow to read, and refreshed in the background at most once a minute.
 */
export function createOverview({ db, schedule, targetShare, settings, openSink }: OverviewDeps) {
  const clock = databaseClock(db)
  const forecast = remember(() => readForecast(db))
  const snapshot = remember(async () => {
    // If the snapshot destination is unreachable, the rest of the overview is still shown.
    const found = await openSink()
      .then(readLatest)
      .catch(() => undefined)
    return found ? { id: found.id, created_at: found.created_at } : null
  })
  return async (): Promise<WarehouseOverview> => {
    const [pipelines, nights, freshness, units, budget, openQuarantine, latest, now] = await Promise.all([
      readLatestRuns(db),
      readNights(db),
      readFreshness(db),
      forecast(),
      readBudget(db, settings.enrich),
      countQuarantine(db),
      snapshot(),
      clock.now(),
    ])
    return {
      pipelines,
      nights: nights.map(describeRun),
      freshness,
      forecast: units,
      target_share: targetShare,
      units_per_night: budget.units_per_night,
      open_quarantine: openQuarantine,
      schedule: { ...schedule, pipelines: [...schedule.pipelines], next: upcoming(schedule, now) },
      now: now.toISOString(),
      snapshot: latest,
    }
  }
}

async function readLatestRuns(db: Kysely<WarehouseTables>): Promise<WarehouseOverview['pipelines']> {
  const { rows } = await sql<Run & { last_ok_at: string | null }>`
    select run.*, status.last_ok_at from warehouse.run_status status join sync.run on run.id = status.run_id
    order by run.parent_id nulls first, run.id`.execute(db)
  return rows.map(({ last_ok_at, ...run }) => ({ run: describeRun(run), last_ok_at }))
}

const readNights = (db: Kysely<WarehouseTables>): Promise<Run[]> =>
  db
    .selectFrom('sync.run')
    .selectAll()
    .where('pipeline', '=', 'nightly')
    .where('started_at', '>', sql<string>`now() - make_interval(days => ${NIGHTS})`)
    .orderBy('id', 'desc')
    .limit(MAX_NIGHT_RUNS)
    .execute()

async function readFreshness(db: Kysely<WarehouseTables>): Promise<Freshness> {
  const { rows } = await sql<Freshness[number]>`
    select night,
      coalesce(sum(members) filter (where state = 'fresh'), 0)::integer as fresh,
      coalesce(sum(members) filter (where state = 'due_soon'), 0)::integer as due_soon,
      coalesce(sum(members) filter (where state = 'stale'), 0)::integer as stale,
      coalesce(sum(members) filter (where state = 'never'), 0)::integer as never,
      coalesce(sum(members) filter (where state = 'pending'), 0)::integer as pending,
      coalesce(sum(members) filter (where state = 'failing'), 0)::integer as failing
    from warehouse.freshness_by_night where night > current_date - ${NIGHTS}::integer
    group by night order by night`.execute(db)
  return rows
}

async function readForecast(db: Kysely<WarehouseTables>): Promise<Forecast> {
  const { rows } = await sql<
    Forecast[number]
  >`select night, units from warehouse.units_forecast order by night`.execute(db)
  return rows
}

function upcoming(schedule: Schedule, now: Date): string[] {
  const moments: Date[] = []
  while (moments.length < UPCOMING) moments.push(nextDue(schedule, moments.at(-1) ?? now))
  return moments.map((moment) => moment.toISOString())
}

/**
 * Caches a value for a minute. After a minute, the next call still returns the cached value and starts a refresh.
 * Errors are not cached.
 */
function remember<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let known: { value: Promise<Value>; until: number } | undefined
  return async () => {
    const now = performance.now()
    if (known && known.until > now) return await known.value
    const previous = known?.value
    const value = read()
    known = { value: previous ?? value, until: now + MEMO_MS }
    const settle = value.then(
      () => {
        known = { value, until: performance.now() + MEMO_MS }
      },
      () => {
        known = undefined
      },
    )
    if (previous === undefined) await settle
    return await (previous ?? value)
  }
}
