import type {
  CompanySubmission,
  DiscoverSignals,
  EnrichBatch,
  EnrichCompany,
  EnrichPerson,
  EnrichTal,
  Quote,
  QuoteDetails,
  SearchLeadership,
  SubmissionReply,
  TalSubmissionReply,
} from '../contract/enrichment.ts'
import { randomKey } from './idempotency-key.ts'
import type { Input } from './input.ts'
import type { PaidOptions, RequestOptions, Send } from './options.ts'
import { pathOf } from './path.ts'

export type EnrichCompanyInput = Input<EnrichCompany, 'domain'>
export type EnrichPersonInput = Input<EnrichPerson>
export type EnrichBatchInput = { [Field in keyof EnrichBatch]?: readonly string[] | undefined }
export type LeadershipInput = Lists<Input<SearchLeadership, 'domains'>>
/** Arguments of the paid call that the quote covers. Set exactly one field. */
export interface QuoteInput {
  company?: EnrichCompanyInput
  person?: EnrichPersonInput
  batch?: EnrichBatchInput
  leadership?: LeadershipInput
  signals?: SignalsInput
  /** The stale companies on the list. */
  list?: EnrichTalInput
}
/** A page of a quote's items. */
export interface QuotePage {
  /** Number of items per page, 1 to 200. @default 50 */
  limit?: number | undefined
  /** Number of items to skip. @default 0 */
  offset?: number | undefined
}
export type SignalsInput = Lists<Input<DiscoverSignals, 'domains'>>
export type EnrichTalInput = Input<EnrichTal>

type Lists<Body extends { domains: string[] }> = Omit<Body, 'domains'> & { domains: readonly string[] }

export interface WaitOptions extends PaidOptions {
  /**
   * Seconds to wait for the result, 1 to 30. `company` is set if the task completes before the timeout. @default none
   */
  wait?: number | undefined
}

/** Paid calls. Each call sends an idempotency key, so that retries are charged once, and returns a task. */
export interface EnrichClient {
  /** Enriches a company. Costs 1 unit, plus 5 with leadership and 3 with signals. */
  company(body: EnrichCompanyInput, options?: WaitOptions): Promise<CompanySubmission>
  /** Enriches a person. Costs 1 unit. Requires `email`, `social_url`, or `full_name` with `company_domain`. */
  person(body: EnrichPersonInput, options?: PaidOptions): Promise<SubmissionReply>
  /** Enriches companies and persons. Costs 1 unit per domain and email. */
  batch(body: EnrichBatchInput, options?: PaidOptions): Promise<SubmissionReply>
  /** Searches for the leadership of at most 10 companies. Costs 5 units per domain. */
  leadership(body: LeadershipInput, options?: PaidOptions): Promise<SubmissionReply>
  /** Searches for signals about at most 50 companies. Costs 3 units per domain. */
  signals(body: SignalsInput, options?: PaidOptions): Promise<SubmissionReply>
  /** Quotes the current cost of a paid call, free of charge. The quote is valid for one hour. */
  quote(request: QuoteInput, options?: RequestOptions): Promise<Quote>
  /** Gets a quote with its request, its state, and the companies and persons that a purchase would enrich now. */
  getQuote(quoteId: string, query?: QuotePage, options?: RequestOptions): Promise<QuoteDetails>
  /** Submits the quoted request and charges at most the quoted number of units. Repeated calls are charged once. */
  purchase(quoteId: string, options?: RequestOptions): Promise<SubmissionReply>
}

export const enrichClient = (send: Send): EnrichClient => ({
  company: (body, { wait, ...options } = {}) => submit(send, '/v2/enrich/company', body, options, wait),
  person: (body, options) => submit(send, '/v2/enrich/person', body, options),
  batch: (body, options) => submit(send, '/v2/enrich/batch', body, options),
  leadership: (body, options) => submit(send, '/v2/search/leadership', body, options),
  signals: (body, options) => submit(send, '/v2/discover/signals', body, options),
  quote: (body, options) => send({ method: 'POST', path: '/v2/quotes', body, repeatable: true }, options),
  getQuote: (quoteId, query = {}, options) =>
    send({ method: 'GET', path: pathOf('v2', 'quotes', quoteId), query: { ...query } }, options),
  purchase: (quoteId, options) =>
    send({ method: 'POST', path: pathOf('v2', 'quotes', quoteId, 'purchase'), repeatable: true }, options),
})

/** Enriches the stale companies on the list. */
export const enrichTal = (send: Send, body: EnrichTalInput, options?: PaidOptions): Promise<TalSubmissionReply> =>
  submit(send, '/v2/clients/me/tal/enrich', body, options)

function submit<Reply>(
  send: Send,
  path: string,
  body: object,
  { idempotencyKey = randomKey(), repeatable = true, ...options }: PaidOptions = {},
  wait?: number,
): Promise<Reply> {
  const headers = { 'idempotency-key': idempotencyKey }
  const waiting = wait !== undefined && { query: { wait }, waits: wait * 1000 }
  return send({ method: 'POST', path, body, headers, repeatable, ...waiting }, options)
}
