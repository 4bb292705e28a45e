import { sum } from '../../src/lib/sum.ts'
import type { FreshnessState } from '../warehouse/tables.ts'

/** Number of members in each freshness state. */
export type StateCounts = Partial<Record<FreshnessState, number>>

/** The share of members that are fresh, due soon or pending. Undefined if there are no members. */
export function freshShare(members: StateCounts): number | undefined {
  const total = sum(Object.values(members))
  const fresh = (members.fresh ?? 0) + (members.due_soon ?? 0) + (members.pending ?? 0)
  return total > 0 ? fresh / total : undefined
}
