import { FairSlots } from '../lib/fair-slots.ts'
import type { Condition } from './filters.ts'
import { countWildcards, isListOperator, MAX_WILDCARDS } from './filters.ts'

/**
 * Maximum expensive queries of all clients that a process runs at a time. The other connections and processors remain
 * for cheap queries, regardless of how many expensive ones arrive.
 */
const AT_A_TIME = 2

/** Runs expensive queries in turn, one per client. A waiting query holds no connection. */
export class ExpensiveQueries {
  readonly #slots = new FairSlots({ perUser: 1, total: AT_A_TIME })

  /** Runs an expensive query when it is the client's turn. */
  async run<Result>(clientId: string, query: () => Promise<Result>): Promise<Result> {
    using _turn = await this.#slots.acquire(clientId)
    return await query()
  }

  /** Runs a query at once, or in turn if its conditions make it expensive. */
  async runByCost<Result>(
    clientId: string,
    conditions: readonly Condition[],
    query: () => Promise<Result>,
  ): Promise<Result> {
    return isExpensive(conditions) ? await this.run(clientId, query) : await query()
  }
}

/** Cost of one comparison in wildcards: about 25 ns, against 100 ns for a wildcard of a pattern. */
const COMPARISON = 0.25

/**
 * Whether testing one firm may cost more than one pattern with the maximum number of wildcards. At that cost, a query of
 * 15,000 firms takes 35 ms of CPU for its page and count; 100 conditions with patterns take up to 550 ms.
 */
const isExpensive = (conditions: readonly Condition[]): boolean =>
  conditions.reduce((sum, condition) => sum + costOf(condition), 0) > MAX_WILDCARDS

function costOf({ operator, values }: Condition): number {
  if (operator === 'ilike') return Math.max(1, countWildcards(values[0] ?? ''))
  return isListOperator(operator) ? values.length * COMPARISON : COMPARISON
}
