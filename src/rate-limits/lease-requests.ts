import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Request classes, each with its own limit. Reads are frequent and cheap; submissions write data or cost units. */
export type RequestClass = 'read' | 'submit'

/** The kinds of events counted: a client's requests, and invalid API keys sent from one address. */
export type RateClass = RequestClass | 'invalid_key'

export const WINDOW_SECONDS = 60
/**
 * A lease takes at most 1/32 of the remaining requests, because requests leased by one process are unavailable to other
 * processes.
 */
const MAX_SHARE_DIVISOR = 32

export interface Lease {
  /** Number of requests that this process may accept; 0 if the window is exhausted. */
  granted: number
  /** Number of requests granted to all processes in this window. */
  used: number
  /** Milliseconds until the window ends. */
  endsInMs: number
}

/**
 * Leases up to `wanted` requests from the window of a client or address. In total, all processes receive at most
 * `limit` requests per window.
 */
export async function leaseRequests(
  db: Db,
  clientId: string,
  rateClass: RateClass,
  limit: number,
  wanted: number,
): Promise<Lease> {
  const share = (left: ReturnType<typeof sql>) =>
    sql`least(${left}, greatest(1, least(${wanted}::int, ${left} / ${sql.lit(MAX_SHARE_DIVISOR)})))`
  // A window whose end is too far in the future was opened before the clock was set back.
  const ended = sql`(w.ends_at <= clock_timestamp() or w.ends_at > clock_timestamp() + make_interval(secs => ${sql.lit(2 * WINDOW_SECONDS)}))`
  const whole = sql`${limit}::int`
  const left = sql`greatest(0, ${limit}::int - w.used)`
  const { rows } = await sql<Lease>`
    insert into rate_window as w (client_id, rate_class, ends_at, used, granted)
    values (${clientId}, ${rateClass}, clock_timestamp() + make_interval(secs => ${sql.lit(WINDOW_SECONDS)}), ${share(whole)}, ${share(whole)})
    on conflict (client_id, rate_class) do update set
      ends_at = case when ${ended} then excluded.ends_at else w.ends_at end,
      used = case when ${ended} then excluded.used else w.used + ${share(left)} end,
      granted = case when ${ended} then excluded.granted else ${share(left)} end
    returning granted, used, (extract(epoch from ends_at - clock_timestamp()) * 1000)::float8 as "endsInMs"
  `.execute(db)
  return rows[0] as Lease
}
