import type { Outcome } from '../db/task-tables.ts'

/** Outcomes that cost nothing: the item failed, found nothing, or no source was due. */
export const REFUNDED_OUTCOMES = ['failed', 'not_found', 'fresh'] as const satisfies readonly Outcome[]

export const isRefunded = (outcome: Outcome): boolean => REFUNDED_OUTCOMES.some((refunded) => refunded === outcome)

/** The outcome to record: results from current data only, without a query to any source, count as fresh. */
export const billableOutcome = (outcome: Outcome, queried: boolean): Outcome =>
  queried || isRefunded(outcome) ? outcome : 'fresh'
