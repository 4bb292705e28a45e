import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { RateLimits, RateStore } from '../host/rate-budget.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** Maximum time until a valid slot: longer than the longest pause (two minutes) plus a queue of slots. */
const MAX_AHEAD_MS = 10 * 60_000

/**
 * A rate budget shared by all processes that use this warehouse and call the service identified by `name`. Uses the
 * database's clock.
 */
export function warehouseRateStore(db: Kysely<WarehouseTables>, name: string, limits: RateLimits): RateStore {
  const seconds = (milliseconds: number) => sql`make_interval(secs => ${milliseconds / 1000}::float8)`
  return {
    async reserve(slots) {
      const gap = 1000 / limits.perSecond
      const rested = sql`clock_timestamp() - ${seconds((limits.burst - 1) * gap)}`
      // A slot further ahead than MAX_AHEAD_MS was reserved before the clock was set back, so the slot is ignored.
      const next = sql`case when budget.next_at > clock_timestamp() + ${seconds(MAX_AHEAD_MS)} then ${rested} else greatest(budget.next_at, ${rested}) end`
      const { rows } = await sql<{ starts_in: number }>`
        insert into sync.rate_budget as budget (name, next_at) values (${name}, ${rested} + ${seconds(slots * gap)})
        on conflict (name) do update set next_at = ${next} + ${seconds(slots * gap)}
        returning extract(epoch from budget.next_at - ${seconds(slots * gap)} - clock_timestamp())::float8 * 1000 as starts_in
      `.execute(db)
      return { startsIn: rows[0]?.starts_in ?? 0, gap }
    },
    async pause(milliseconds) {
      await sql`
        insert into sync.rate_budget as budget (name, next_at) values (${name}, clock_timestamp() + ${seconds(milliseconds)})
        on conflict (name) do update set next_at = greatest(budget.next_at, clock_timestamp() + ${seconds(milliseconds)})
      `.execute(db)
    },
  }
}
