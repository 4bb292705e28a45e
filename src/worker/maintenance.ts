import { pruneAudit } from '../audit/audit-log.ts'
import { pruneSessions } from '../auth/sessions.ts'
import type { Db } from '../db/database.ts'
import { pruneHostRateLimits } from '../enrichment/fetching/shared-host-rate-limit.ts'
import { pruneRobots } from '../enrichment/fetching/shared-robots.ts'
import { sleep } from '../lib/backoff.ts'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import type { Queue } from '../lib/queue.ts'
import { pruneRateWindows } from '../rate-limits/prune-windows.ts'
import { copyCompaniesToLists } from '../tal/copy-companies.ts'
import { pruneResponses } from '../tasks/idempotency.ts'
import { pruneQuotes } from '../tasks/purchase.ts'
import { requeueItemsWithoutJob } from '../tasks/requeue-items-without-job.ts'
import { startPeriod } from '../units/account.ts'
import { reconcileUnits } from '../units/reconcile.ts'
import { pruneDeliveries, requeueDeliveries } from '../webhooks/deliveries.ts'

const HOUR = 3_600_000
/** Number of maintenance rounds between ledger reconciliations. */
const ROUNDS_PER_DAY = 24

export interface Maintenance {
  db: Db
  queue: Queue
  log: Log
  deliveryRetentionDays: number
  signal: AbortSignal
}

/**
 * Runs periodic maintenance until the signal is aborted: starts billing periods, enqueues work without a job, corrects
 * lists, prunes expired rows, and reconciles the ledger daily. The remaining steps run even if a step fails. Any number
 * of workers may run maintenance.
 */
export async function runMaintenance(maintenance: Maintenance): Promise<void> {
  const { log, signal } = maintenance
  for (let round = 0; !signal.aborted; round += 1) {
    for (const [step, run] of Object.entries(stepsOf(maintenance, round)))
      await run().catch((error: unknown) =>
        log.warn({ step, reason: messageOf(error) }, 'maintenance step failed and will be retried'),
      )
    await sleep(HOUR * (0.9 + Math.random() / 5), signal).catch(() => undefined)
  }
}

function stepsOf(
  { db, queue, log, deliveryRetentionDays }: Maintenance,
  round: number,
): Record<string, () => Promise<unknown>> {
  return {
    periods: async () => {
      const accounts = await startPeriod(db)
      if (accounts > 0) log.info({ accounts }, 'started a new period')
    },
    items: async () => {
      const items = await requeueItemsWithoutJob(db, queue)
      if (items > 0) log.warn({ items }, 'enqueued items that had no job')
    },
    deliveries: async () => {
      const deliveries = await requeueDeliveries(db, queue)
      if (deliveries > 0) log.warn({ deliveries }, 'enqueued webhooks that had no job')
    },
    lists: async () => {
      const entries = await copyCompaniesToLists(db)
      if (entries > 0) log.info({ entries }, 'corrected list entries')
    },
    responses: () => pruneResponses(db),
    quotes: () => pruneQuotes(db),
    ended_deliveries: () => pruneDeliveries(db, deliveryRetentionDays),
    audit: () => pruneAudit(db),
    sessions: () => pruneSessions(db),
    host_rate_limits: () => pruneHostRateLimits(db),
    robots: () => pruneRobots(db),
    rate_windows: () => pruneRateWindows(db),
    ledger: async () => {
      if (round % ROUNDS_PER_DAY === 0) await reconcileLedger(db, log)
    },
  }
}

async function reconcileLedger(db: Db, log: Log): Promise<void> {
  const { discrepancies, ...counts } = await reconcileUnits(db)
  if (discrepancies.length === 0) log.info(counts, 'ledger reconciled')
  else log.error({ ...counts, discrepancies: discrepancies.slice(0, 20) }, 'the ledger does not balance')
}
