import { pluralize } from '../../src/lib/pluralize.ts'
import { nightOf } from '../runner/night.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { writeGroups } from '../staleness/groups.ts'
import { writeTargets } from '../staleness/targets.ts'
import { chooseDue } from './choose-due.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { submitDue } from './submit.ts'

/**
 * Enriches due companies within the budgets. Records the outcomes of earlier submissions first, so that no company is
 * paid for twice. Each new submission is written as an intent, sent, and polled until its task ends. Only a submission
 * of the whole list is quoted first, because all other submissions have fixed prices.
 */
export const enrichDue: Pipeline = {
  name: 'enrich-due',
  async run(context) {
    const { settings } = context
    const night = await nightOf(context)
    await writeTargets(context.warehouse.db, settings.freshness)
    await writeGroups(context.warehouse.db, settings.enrich.groups)
    // Submissions that are still open are checked again below, after this run's submissions have been sent.
    const earlier = (await recordOutcomes(context, 0)).failed
    const usage = await context.client.usage(context.signal)
    const chosen = await chooseDue(context.warehouse.db, night, usage, settings)
    const submitted = await submitDue(context, night, chosen)
    const { failed, open, retry } = await recordOutcomes(context, settings.enrich.wait_minutes * 60_000)
    return {
      reasons: [
        ...shorten([...earlier, ...failed], 'failed'),
        ...(chosen.heldByBudget ? [chosen.heldByBudget] : []),
        ...submitted.reasons,
        ...shorten(open, 'are still open'),
      ],
      retryable: submitted.retry || retry,
    }
  },
}

/** Maximum reasons of one kind. A night of a long list can have a thousand submissions. */
const MAX_REASONS = 5

/** Removes duplicates, and replaces all but the first reasons by their number. */
function shorten(reasons: readonly string[], what: string): string[] {
  const unique = [...new Set(reasons)]
  const more = unique.length - MAX_REASONS
  if (more <= 0) return unique
  return [...unique.slice(0, MAX_REASONS), `${pluralize(more, 'more submission')} ${what}: see warehouse.submission`]
}
