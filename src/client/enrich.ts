import type {
  CompanySubmission,
  DiscoverSignals,
  EnrichBatch,
  EnrichCompany,
  EnrichPerson,
  EnrichTal,
  SearchLeadership,
  SubmissionReply,
  TalSubmissionReply,
} from '../contract/enrichment.ts'
import { randomKey } from './idempotency-key.ts'
import type { Input } from './input.ts'
import type { PaidOptions, Query, Send } from './options.ts'

export type EnrichCompanyInput = Input<EnrichCompany, 'domain'>
export type EnrichPersonInput = Input<EnrichPerson>
export type EnrichBatchInput = { [Field in keyof EnrichBatch]?: readonly string[] | undefined }
export type LeadershipInput = Lists<Input<SearchLeadership, 'domains'>>
export type SignalsInput = Lists<Input<DiscoverSignals, 'domains'>>
export type EnrichTalInput = Input<EnrichTal>

type Lists<Body extends { domains: string[] }> = Omit<Body, 'domains'> & { domains: readonly string[] }

export interface WaitOptions extends PaidOptions {
  /** Seconds to wait for the result, 1 to 30; `company` is set if the task has ended in time. @default none */
  wait?: number | undefined
}

/** Paid calls. Each sends an idempotency key, so that a retry charges once, and returns a task. */
export interface EnrichClient {
  /** 1 unit, 5 more with leadership, 3 more with signals. */
  company(body: EnrichCompanyInput, options?: WaitOptions): Promise<CompanySubmission>
  /** 1 unit. Needs `email`, `social_url`, or `full_name` with `company_domain`. */
  person(body: EnrichPersonInput, options?: PaidOptions): Promise<SubmissionReply>
  /** 1 unit for each domain and email. */
  batch(body: EnrichBatchInput, options?: PaidOptions): Promise<SubmissionReply>
  /** 5 units for each of at most 10 domains. */
  leadership(body: LeadershipInput, options?: PaidOptions): Promise<SubmissionReply>
  /** 3 units for each of at most 50 domains. */
  signals(body: SignalsInput, options?: PaidOptions): Promise<SubmissionReply>
}

export const enrichClient = (send: Send): EnrichClient => ({
  company: (body, { wait, ...options } = {}) =>
    submit(send, '/v2/enrich/company', body, wait === undefined ? options : lengthen(options, wait), { wait }),
  person: (body, options) => submit(send, '/v2/enrich/person', body, options),
  batch: (body, options) => submit(send, '/v2/enrich/batch', body, options),
  leadership: (body, options) => submit(send, '/v2/search/leadership', body, options),
  signals: (body, options) => submit(send, '/v2/discover/signals', body, options),
})

/** Enriches the stale companies of the list. */
export const enrichTal = (send: Send, body: EnrichTalInput, options?: PaidOptions): Promise<TalSubmissionReply> =>
  submit(send, '/v2/clients/me/tal/enrich', body, options)

function submit<Reply>(
  send: Send,
  path: string,
  body: object,
  { idempotencyKey = randomKey(), repeatable = true, ...options }: PaidOptions = {},
  query: Query = {},
): Promise<Reply> {
  return send(
    { method: 'POST', path, query, body, headers: { 'idempotency-key': idempotencyKey }, repeatable },
    options,
  )
}

/** A request that waits takes that much longer. */
const lengthen = (options: PaidOptions, seconds: number): PaidOptions => ({
  ...options,
  timeout: (options.timeout ?? 30_000) + seconds * 1000,
})
