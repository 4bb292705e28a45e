import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Log } from '../../lib/logger.ts'
import type { HostRateLimit } from './host-rate-limit.ts'
import { hostBusy, LocalHostRateLimit, MAX_WAIT_SECONDS } from './host-rate-limit.ts'

/**
 * Creates host rate limits that processes share through the database, with one row per host. While the database is
 * unavailable, each process limits only its own requests.
 */
export function createSharedHostRateLimit(
  db: Db,
  log: Log,
  own: HostRateLimit = new LocalHostRateLimit(),
): HostRateLimit {
  const warnUnavailable = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'shared host rate limits unavailable; falling back to limits per process')
  return {
    async reserveSlot(host, interval) {
      const wait = await reserveRow(db, host, interval).catch(warnUnavailable)
      if (wait === undefined) return await own.reserveSlot(host, interval)
      if (wait > MAX_WAIT_SECONDS * 1000) throw hostBusy(host, wait)
      return Math.max(0, wait)
    },
    async pause(host, seconds) {
      await pauseRow(db, host, seconds).catch(warnUnavailable)
    },
  }
}

/**
 * Reserves a slot and returns the milliseconds until it starts. If the next slot is too far away, reserves no slot and
 * returns a value above the maximum wait.
 */
async function reserveRow(db: Db, host: string, interval: number): Promise<number> {
  const step = sql`make_interval(secs => ${interval / 1000}::float8)`
  const { rows } = await sql<{ wait: number | null }>`
    with taken as (
      insert into host_rate_limit as p (host, next_at) values (${host}, clock_timestamp() + ${step})
      on conflict (host) do update set next_at = greatest(p.next_at, clock_timestamp()) + ${step}
        where p.next_at <= clock_timestamp() + make_interval(secs => ${MAX_WAIT_SECONDS})
      returning next_at - ${step} as slot
    )
    select extract(epoch from coalesce(
        (select slot from taken), (select next_at from host_rate_limit where host = ${host})) - clock_timestamp())::float8 * 1000 as wait`.execute(
    db,
  )
  // The result is null if another process inserted the host's row with a distant slot after this statement took its
  // snapshot.
  return rows[0]?.wait ?? (MAX_WAIT_SECONDS + 1) * 1000
}

async function pauseRow(db: Db, host: string, seconds: number): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${seconds}::float8)`
  await sql`
    insert into host_rate_limit as p (host, next_at) values (${host}, ${until})
    on conflict (host) do update set next_at = greatest(p.next_at, excluded.next_at)`.execute(db)
}

/** Deletes hosts whose next slot was more than ten minutes ago, and returns the count. */
export async function pruneHostRateLimits(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from host_rate_limit where next_at < now() - interval '10 minutes' returning 1`.execute(db)
  return rows.length
}
