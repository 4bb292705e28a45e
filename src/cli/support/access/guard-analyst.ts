import { sleep } from '../../../lib/backoff.ts'
import { messageOf } from '../../../lib/errors.ts'
import type { Log } from '../../../lib/logger.ts'
import type { PostgresConnection } from '../../../lib/postgres.ts'
import { withClient } from '../../../lib/postgres.ts'
import { restorePassword } from './analyst-login.ts'
import { ANALYST, analystRules } from './analyst-rules.ts'
import type { DatabaseUrls } from './embedded-access.ts'
import { applyRules, userOf } from './rules.ts'

/** Milliseconds between checks. */
const INTERVAL_MS = 60_000

/** Limits that analysts cannot change in their sessions. */
export interface AnalystLimits {
  /** Maximum duration of a transaction, and therefore of a query, in minutes. */
  transactionMinutes: number
  /** Maximum idle time of a session, in minutes. */
  idleMinutes: number
}

const LIMITS: AnalystLimits = { transactionMinutes: 15, idleMinutes: 120 }

/** Until disposal, restores the analyst role and ends its long sessions every minute. */
export function guardAnalyst(urls: DatabaseUrls, log: Log): AsyncDisposable {
  const stop = new AbortController()
  const guarding = (async () => {
    for (let warned = false; ; await sleep(INTERVAL_MS, stop.signal)) {
      try {
        await restoreAnalyst(urls, LIMITS, log)
        warned = false
      } catch (error) {
        if (!warned) log.warn({ err: messageOf(error) }, 'checking the analyst role failed')
        warned = true
      }
    }
  })().catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await guarding
    },
  }
}

/** Restores the analyst role, its settings and its password, and ends sessions that exceed the limits. */
export async function restoreAnalyst(urls: DatabaseUrls, limits: AnalystLimits, log: Log): Promise<void> {
  await withClient(urls.admin, async (client) => {
    await applyRules(client, analystRules(userOf(urls.admin)))
    if (await restorePassword(client, urls.admin)) log.warn('restored the password that the analyst had changed')
    for (const ended of await endLongSessions(client, limits)) log.warn(ended, 'ended a long session of the analyst')
  })
}

async function endLongSessions(client: PostgresConnection, { transactionMinutes, idleMinutes }: AnalystLimits) {
  const { rows } = await client.query<{ pid: number; state: string; minutes: number }>(
    `with long as materialized (
       select pid, state, (extract(epoch from now() - coalesce(xact_start, state_change)) / 60)::integer as minutes
       from pg_stat_activity
       where usename = '${ANALYST}' and datname = current_database()
         and (xact_start < now() - make_interval(secs => $1 * 60) or (state = 'idle' and state_change < now() - make_interval(secs => $2 * 60)))
     )
     select * from long where pg_terminate_backend(pid)`,
    [transactionMinutes, idleMinutes],
  )
  return rows
}
