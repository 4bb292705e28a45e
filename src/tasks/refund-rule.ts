import type { Outcome } from '../db/task-tables.ts'

/** Outcomes that are refunded: the item failed, no data was found, or no source was due. */
export const REFUNDED_OUTCOMES = ['failed', 'not_found', 'fresh'] as const satisfies readonly Outcome[]

export const isRefunded = (outcome: Outcome): boolean => REFUNDED_OUTCOMES.some((refunded) => refunded === outcome)

/** Returns the outcome to record. Results obtained from stored data without querying a source count as fresh. */
export const billableOutcome = (outcome: Outcome, queried: boolean): Outcome =>
  queried || isRefunded(outcome) ? outcome : 'fresh'
