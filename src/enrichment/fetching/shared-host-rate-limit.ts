import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Log } from '../../lib/logger.ts'
import type { HostRateLimit } from './host-rate-limit.ts'
import { LONGEST_WAIT, LocalHostRateLimit, noTurnNear } from './host-rate-limit.ts'

/**
 * One hostRateLimit for all processes that share the database: a row a host, moved on by whoever takes a turn. While the database is away this process
 * keeps its own.
 */
export function createSharedHostRateLimit(
  db: Db,
  log: Log,
  own: HostRateLimit = new LocalHostRateLimit(),
): HostRateLimit {
  const isAway = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'the shared hostRateLimit of hosts is away')
  return {
    async takeTurn(host, interval) {
      const wait = await takeTurn(db, host, interval).catch(isAway)
      if (wait === undefined) return await own.takeTurn(host, interval)
      if (wait > LONGEST_WAIT * 1000) throw noTurnNear(host, wait)
      return { wait: Math.max(0, wait) }
    },
    async rest(host, seconds) {
      await rest(db, host, seconds).catch(isAway)
    },
  }
}

/** Milliseconds until the turn taken; more than the longest wait when none was. */
async function takeTurn(db: Db, host: string, interval: number): Promise<number> {
  const step = sql`make_interval(secs => ${interval / 1000}::float8)`
  const { rows } = await sql<{ wait: number | null }>`
    with taken as (
      insert into host_rate_limit as p (host, next_at) values (${host}, clock_timestamp() + ${step})
      on conflict (host) do update set next_at = greatest(p.next_at, clock_timestamp()) + ${step}
        where p.next_at <= clock_timestamp() + make_interval(secs => ${LONGEST_WAIT})
      returning next_at - ${step} as turn
    )
    select extract(epoch from coalesce(
        (select turn from taken), (select next_at from host_rate_limit where host = ${host})) - clock_timestamp())::float8 * 1000 as wait`.execute(
    db,
  )
  // No row to be seen: another process made it a moment ago, with its turn far off.
  return rows[0]?.wait ?? (LONGEST_WAIT + 1) * 1000
}

async function rest(db: Db, host: string, seconds: number): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${seconds}::float8)`
  await sql`
    insert into host_rate_limit as p (host, next_at) values (${host}, ${until})
    on conflict (host) do update set next_at = greatest(p.next_at, excluded.next_at)`.execute(db)
}

/** Forgets the hosts whose turn came long ago. Returns how many. */
export async function pruneHostRateLimits(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from host_rate_limit where next_at < now() - interval '10 minutes' returning 1`.execute(db)
  return rows.length
}
