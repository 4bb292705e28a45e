import { pruneAudit } from '../audit/audit-log.ts'
import type { Db } from '../db/database.ts'
import { pruneHostRateLimits } from '../enrichment/fetching/shared-host-rate-limit.ts'
import { pruneRobots } from '../enrichment/fetching/shared-robots.ts'
import { sleep } from '../lib/backoff.ts'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import { pruneReplies } from '../tasks/idempotency.ts'
import { startPeriod } from '../units/account.ts'
import { reconcileUnits } from '../units/reconcile.ts'
import { pruneDeliveries } from '../webhooks/deliveries.ts'

const HOUR = 3_600_000
/** The ledger is reconciled once per this many rounds. */
const ROUNDS_PER_DAY = 24

export interface Maintenance {
  db: Db
  log: Log
  deliveryRetentionDays: number
  auditRetentionDays: number
  signal: AbortSignal
}

/**
 * Periodic maintenance until the signal aborts: start billing periods, prune expired rows, reconcile the ledger daily.
 * Any number of workers may run it.
 */
export async function runMaintenance({
  db,
  log,
  deliveryRetentionDays,
  auditRetentionDays,
  signal,
}: Maintenance): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    try {
      const started = await startPeriod(db)
      if (started > 0) log.info({ accounts: started }, 'started a new period')
      await pruneReplies(db)
      await pruneDeliveries(db, deliveryRetentionDays)
      await pruneAudit(db, auditRetentionDays)
      await pruneHostRateLimits(db)
      await pruneRobots(db)
      if (round % ROUNDS_PER_DAY === 0) await reconcileLedger(db, log)
    } catch (error) {
      log.warn({ err: messageOf(error) }, 'maintenance failed, will be retried')
    }
    await sleep(HOUR * (0.9 + Math.random() / 5), signal).catch(() => undefined)
  }
}

async function reconcileLedger(db: Db, log: Log): Promise<void> {
  const { discrepancies, ...counts } = await reconcileUnits(db)
  if (discrepancies.length === 0) log.info(counts, 'ledger reconciled')
  else log.error({ ...counts, discrepancies: discrepancies.slice(0, 20) }, 'ledger does not balance')
}
