import type { Registry } from 'prom-client'
import { Counter } from 'prom-client'
import type { RateBudget } from './rate-budget.ts'

/** Returns the budget, wrapped so that the pauses requested by the service are counted. */
export function measureBudget(registry: Registry, budget: RateBudget): RateBudget {
  const registers = [registry]
  const pauses = new Counter({
    name: 'talhouse_service_pauses_total',
    help: 'Number of pauses of all pipeline requests, because the service responded with 429.',
    registers,
  })
  const seconds = new Counter({
    name: 'talhouse_service_pause_seconds_total',
    help: 'Duration of pauses of all pipeline requests.',
    registers,
  })
  return {
    take: (signal) => budget.take(signal),
    async pause(milliseconds) {
      pauses.inc()
      seconds.inc(milliseconds / 1000)
      await budget.pause(milliseconds)
    },
  }
}
