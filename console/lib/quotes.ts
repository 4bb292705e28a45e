import type { Quote, QuoteRequest, SubmissionReply } from '../../src/contract/enrichment.ts'
import { request } from './http.ts'

/** Quotes for a list of requests, one task each, with their total. */
export interface Offer extends Pick<Quote, 'units_required' | 'units_remaining' | 'is_covered'> {
  items: readonly { request: QuoteRequest; quote: Quote }[]
}

/** Maximum number of companies per request. */
const BATCH = 1_000

/** Splits any number of companies into requests of at most `BATCH` companies. */
export const batchesOf = (domains: readonly string[]): QuoteRequest[] =>
  Array.from({ length: Math.ceil(domains.length / BATCH) }, (_, index) => ({
    batch: { domains: domains.slice(index * BATCH, (index + 1) * BATCH) },
  }))

/** Requests a quote for each request. Throws `RequestError`, or the signal's abort reason. */
export async function requestOffer(requests: readonly QuoteRequest[], signal: AbortSignal): Promise<Offer> {
  const items: { request: QuoteRequest; quote: Quote }[] = []
  for (const body of requests)
    items.push({ request: body, quote: await request<Quote>('POST', '/v2/quotes', { body, signal }) })
  const units_required = items.reduce((sum, { quote }) => sum + quote.units_required, 0)
  const units_remaining = items.at(-1)?.quote.units_remaining ?? 0
  const isOverageAllowed = items.every(({ quote }) => quote.overage_allowed)
  return { items, units_required, units_remaining, is_covered: isOverageAllowed || units_required <= units_remaining }
}

/**
 * Purchases a quote. Repeating a purchase returns the first response and charges no further units. Throws
 * `RequestError`.
 */
export const purchaseQuote = (quoteId: string): Promise<SubmissionReply> =>
  request('POST', `/v2/quotes/${quoteId}/purchase`)
