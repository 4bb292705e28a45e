import { chooseDue } from './enrich/choose-due.ts'
import { writeGroups } from './enrich/groups.ts'
import { settleOpen } from './enrich/settle.ts'
import { submitDue } from './enrich/submit.ts'
import { writeTargets } from './freshness/targets.ts'
import type { Pipeline } from './pipeline.ts'

/**
 * Enriches what is due, within the budgets. Earlier submissions are settled first, so that nothing is paid twice; then tonight's are quoted,
 * intended, submitted, and followed to their end.
 */
export const enrichDue: Pipeline = {
  name: 'enrich-due',
  description: 'Enrich what is due, within the budgets of the night and the period',
  async run(context) {
    const { settings } = context
    const night = context.clock.now().toISOString().slice(0, 10)
    await writeTargets(context.warehouse.db, settings.freshness)
    await writeGroups(context.warehouse.db, settings.enrich.groups)
    const reasons = await settleOpen(context, 0)
    const usage = await context.client.usage.get(context.signal)
    const chosen = await chooseDue(context.warehouse.db, night, usage, settings)
    if (chosen.heldByBudget) reasons.push(chosen.heldByBudget)
    reasons.push(...(await submitDue(context, night, chosen)))
    reasons.push(...(await settleOpen(context, settings.enrich.wait_minutes * 60_000)))
    return { reasons: [...new Set(reasons)] }
  },
}
