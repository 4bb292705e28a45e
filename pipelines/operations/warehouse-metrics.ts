import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { databaseClock } from '../../src/lib/database-clock.ts'
import type { Log } from '../../src/lib/logger.ts'
import { measureStored } from '../../src/lib/metrics.ts'
import type { Check } from '../checks/check.ts'
import { isFailed } from '../checks/check.ts'
import { readResults } from '../checks/run-checks.ts'
import type { Schedule } from '../runner/schedule.ts'
import { nextDue } from '../runner/schedule.ts'
import { freshShare } from '../staleness/fresh-share.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { countQuarantine, MAX_QUARANTINE } from './count-quarantine.ts'
import { RUN_GAUGES, readRunSamples } from './run-metrics.ts'

export interface WarehouseMetrics {
  db: Kysely<WarehouseTables>
  schedule: Schedule
  /** Target share of fresh members. */
  targetShare: number
  expectations: readonly Check[]
  log: Log
}

/** Measures runs, freshness and quarantine. Every process that opens the warehouse reports the same values. */
export function measureWarehouse(
  registry: Registry,
  { db, schedule, targetShare, expectations, log }: WarehouseMetrics,
): void {
  const clock = databaseClock(db)
  measureStored(registry, {
    database: 'warehouse',
    log,
    gauges: {
      ...RUN_GAUGES,
      members: {
        name: 'talhouse_members',
        help: 'Members by freshness state, as counted by the latest nightly run.',
        labelNames: ['state'],
      },
      fresh: {
        name: 'talhouse_members_fresh_ratio',
        help: 'Share of members that are fresh, due soon or pending, as counted by the latest nightly run.',
      },
      target: { name: 'talhouse_members_fresh_target_ratio', help: 'The setting pipelines.freshness.target_share.' },
      quarantined: {
        name: 'talhouse_quarantined_records',
        help: `Unresolved rejected records, counted up to ${MAX_QUARANTINE}.`,
      },
      met: {
        name: 'talhouse_expectation_met',
        help: '1 if the latest check of the expectation found no violation, else 0.',
        labelNames: ['expectation'],
      },
      checked: {
        name: 'talhouse_expectation_checked_timestamp_seconds',
        help: 'Time of the latest check of the expectation.',
        labelNames: ['expectation'],
      },
      next: {
        name: 'talhouse_schedule_next_run_timestamp_seconds',
        help: 'Time at which the next scheduled run is due.',
      },
    },
    async read() {
      const [runs, states, quarantined, results, now] = await Promise.all([
        readRunSamples(db),
        readStates(db),
        countQuarantine(db),
        readResults(db, expectations),
        clock.now(),
      ])
      const share = freshShare(Object.fromEntries(states.map(({ state, members }) => [state, members])))
      return {
        ...runs,
        members: states.map(({ state, members }) => ({ labels: { state }, value: members })),
        fresh: share === undefined ? [] : [{ value: share }],
        target: [{ value: targetShare }],
        quarantined: [{ value: quarantined }],
        met: results.map((result) => ({ labels: { expectation: result.name }, value: isFailed(result) ? 0 : 1 })),
        checked: results.map(({ name, checked_at }) => ({
          labels: { expectation: name },
          value: Date.parse(checked_at) / 1000,
        })),
        next: [{ value: nextDue(schedule, now).getTime() / 1000 }],
      }
    },
  })
}

/** Reads the counts stored by the latest nightly run, because counting all members at each scrape would be slow. */
async function readStates(db: Kysely<WarehouseTables>): Promise<{ state: string; members: number }[]> {
  const { rows } = await sql<{ state: string; members: number }>`
    select state, members from warehouse.freshness_by_night
    where night = (select max(night) from warehouse.freshness_by_night)`.execute(db)
  return rows
}
