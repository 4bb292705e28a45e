import type { Quote, SubmissionReply } from '../../../src/contract/enrichment.ts'
import { request } from '../../lib/http.ts'
import type { QuotedCost } from '../../ui/quoted.tsx'

/** Maximum companies per request. */
const BATCH = 1_000

const batchesOf = (domains: readonly string[]): { domains: string[] }[] =>
  Array.from({ length: Math.ceil(domains.length / BATCH) }, (_, index) => ({
    domains: domains.slice(index * BATCH, (index + 1) * BATCH),
  }))

/** The cost of enriching any number of companies. */
export async function quoteBatches(domains: readonly string[]): Promise<QuotedCost> {
  const quotes: Quote[] = []
  for (const batch of batchesOf(domains)) quotes.push(await request<Quote>('POST', '/v2/quotes', { body: { batch } }))
  const { units_remaining, overage_allowed } = quotes.at(-1) as Quote
  const units_required = quotes.reduce((sum, quote) => sum + quote.units_required, 0)
  return { units_required, units_remaining, is_covered: overage_allowed || units_required <= units_remaining }
}

/**
 * Enriches the companies with one task for each thousand, and reports each task as soon as it is charged. With the same
 * key, no task is charged twice.
 */
export async function submitBatches(
  domains: readonly string[],
  idempotencyKey: string,
  onSubmitted: (taskId: string) => void,
): Promise<void> {
  for (const [index, body] of batchesOf(domains).entries()) {
    const headers = { 'idempotency-key': `${idempotencyKey}-${index}` }
    onSubmitted((await request<SubmissionReply>('POST', '/v2/enrich/batch', { body, headers })).task_id)
  }
}
