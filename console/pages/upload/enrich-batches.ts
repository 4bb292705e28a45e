import type { SubmissionReply } from '../../../src/contract/enrichment.ts'
import { request } from '../../lib/http.ts'
import type { QuotedCost } from '../../ui/quoted.tsx'

/** Maximum companies of a request. */
const BATCH = 1_000

const batchesOf = (domains: readonly string[]): { domains: string[] }[] =>
  Array.from({ length: Math.ceil(domains.length / BATCH) }, (_, index) => ({
    domains: domains.slice(index * BATCH, (index + 1) * BATCH),
  }))

/** The cost of enriching any number of companies. */
export async function quoteBatches(domains: readonly string[]): Promise<QuotedCost> {
  const costs: QuotedCost[] = []
  for (const batch of batchesOf(domains))
    costs.push(await request<QuotedCost>('POST', '/v2/enrich/quote', { body: { batch } }))
  const units_required = costs.reduce((sum, cost) => sum + cost.units_required, 0)
  const units_remaining = costs.at(-1)?.units_remaining ?? 0
  const is_covered = costs.every((cost) => cost.is_covered) && (costs.length === 1 || units_required <= units_remaining)
  const message =
    costs.length === 1
      ? (costs[0]?.message ?? '')
      : `${units_required} units are required and ${units_remaining} are left.`
  return { units_required, units_remaining, is_covered, message }
}

/** Enriches the companies with one task for each thousand. With the same key, no task is charged twice. */
export async function submitBatches(domains: readonly string[], idempotencyKey: string): Promise<string[]> {
  const tasks: string[] = []
  for (const [index, body] of batchesOf(domains).entries()) {
    const headers = { 'idempotency-key': `${idempotencyKey}-${index}` }
    tasks.push((await request<SubmissionReply>('POST', '/v2/enrich/batch', { body, headers })).task_id)
  }
  return tasks
}
