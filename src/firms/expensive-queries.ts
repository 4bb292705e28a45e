import { FairSlots } from '../lib/fair-slots.ts'
import { sum } from '../lib/sum.ts'
import type { Condition } from './filters.ts'
import { countWildcards, isListOperator, MAX_WILDCARDS } from './filters.ts'

/**
 * Maximum number of expensive queries that a process runs concurrently, across all clients. The other connections and
 * CPU cores remain available for cheap queries, regardless of how many expensive queries arrive.
 */
const AT_A_TIME = 2

/**
 * Limits concurrent expensive queries to one per client and to a maximum in total. Waiting clients take turns. A
 * waiting query does not occupy a connection.
 */
export class ExpensiveQueries {
  readonly #slots = new FairSlots({ perUser: 1, total: AT_A_TIME })

  /** Waits for the client's turn and runs an expensive query. */
  async run<Result>(clientId: string, query: () => Promise<Result>): Promise<Result> {
    using _turn = await this.#slots.acquire(clientId)
    return await query()
  }

  /** Runs a query immediately, or queues it if its filters make it expensive. */
  async runByCost<Result>(
    clientId: string,
    conditions: readonly Condition[],
    query: () => Promise<Result>,
  ): Promise<Result> {
    return isExpensive(conditions) ? await this.run(clientId, query) : await query()
  }
}

/**
 * Cost of one comparison, relative to one wildcard. A comparison takes about 25 ns, and a wildcard in a pattern takes
 * 100 ns.
 */
const COMPARISON = 0.25

/**
 * Returns whether testing one firm may cost more than testing a single pattern with the maximum number of wildcards.
 * With a pattern of that size, a query over 15,000 firms takes 35 ms of CPU time for its page and count; with 100
 * patterns, it takes up to 550 ms.
 */
const isExpensive = (conditions: readonly Condition[]): boolean => sum(conditions.map(costOf)) > MAX_WILDCARDS

function costOf({ operator, values }: Condition): number {
  if (operator === 'ilike') return Math.max(1, countWildcards(values[0] ?? ''))
  return isListOperator(operator) ? values.length * COMPARISON : COMPARISON
}
