import { nightOf } from '../runner/night.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { writeGroups } from '../staleness/groups.ts'
import { writeTargets } from '../staleness/targets.ts'
import { chooseDue } from './choose-due.ts'
import { reconcileSubmissions } from './reconcile.ts'
import { submitDue } from './submit.ts'

/**
 * Enriches due companies within the budgets. Earlier submissions are reconciled first, so that no company is paid
 * twice. Each new submission is quoted, recorded as an intent, sent, and polled until it ends.
 */
export const enrichDue: Pipeline = {
  name: 'enrich-due',
  description: 'Enrich due companies within the budgets of night and period',
  async run(context) {
    const { settings } = context
    const night = await nightOf(context)
    await writeTargets(context.warehouse.db, settings.freshness)
    await writeGroups(context.warehouse.db, settings.enrich.groups)
    // Submissions that are still open are reconciled again below.
    const reasons = (await reconcileSubmissions(context, 0)).failed
    const usage = await context.client.usage(context.signal)
    const chosen = await chooseDue(context.warehouse.db, night, usage, settings)
    if (chosen.heldByBudget) reasons.push(chosen.heldByBudget)
    const submitted = await submitDue(context, night, chosen)
    const { failed, open, retry } = await reconcileSubmissions(context, settings.enrich.wait_minutes * 60_000)
    return {
      reasons: [...new Set([...reasons, ...submitted.reasons, ...failed, ...open])],
      retryable: submitted.retry || retry,
    }
  },
}
