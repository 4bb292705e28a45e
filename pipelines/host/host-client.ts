import type {
  ClientOptions,
  CompanyBatchInput,
  CompanyInput,
  CompanyPersonsInput,
  EnrichBatchInput,
  EnrichTalInput,
  FetchReply,
  FirmQueryInput,
  HistoryInput,
  LeadershipInput,
  LedgerLineInput,
  PaidOptions,
  PersonBatchInput,
  PersonInput,
  SignalsInput,
  TalInput,
  TaskInput,
} from '../../src/client/index.ts'
import { createClient } from '../../src/client/index.ts'
import type { FirmQuery } from '../../src/contract/firms.ts'
import { AppError } from '../../src/lib/errors.ts'
import { retryAfterSeconds } from '../../src/lib/retry-after.ts'
import { asAppError, isRefused } from './app-error.ts'
import { checked } from './check-reply.ts'
import { connect } from './connection.ts'
import { createLimiter } from './limiter.ts'
import type { RateBudget } from './rate-budget.ts'
import { RateLimitPolicies } from './rate-limit-policy.ts'
import * as replies from './replies.ts'
import type { ServiceClock } from './service-clock.ts'
import { readClock } from './service-clock.ts'
import { tracedFetch } from './traced-fetch.ts'

/** Maximum pause of the rate budget in milliseconds, even if `Retry-After` is longer. */
const MAX_PAUSE = 120_000

type Options = Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'timeout' | 'retry' | 'signal' | 'fetch'>

export interface HostOptions extends Options {
  /** Maximum concurrent requests, at least 1. @default 8 */
  concurrency?: number
  /** Rate limit shared by all clients with the same budget. @default none */
  budget?: RateBudget
  /** Called after each response with the requests per second that the service's RateLimit headers allow. */
  onRateLimit?: (perSecond: number) => void
}

/**
 * Options for a submission. Submissions are retried only after a 429, because not every host supports idempotency keys.
 */
export type SubmitOptions = Pick<PaidOptions, 'idempotencyKey' | 'signal'>

/**
 * The API calls that the pipelines use, for any host that implements the interface. Responses are validated against the
 * interface's guarantees, and errors are AppErrors. Disposal closes the connections.
 */
export interface HostClient extends AsyncDisposable {
  readonly baseUrl: string
  /** Number of requests sent so far, including retries. Updated in place. */
  readonly counts: Readonly<{ requests: number; retries: number }>
  readonly clock: Readonly<ServiceClock>
  firms: { query(query: FirmQuery, signal?: AbortSignal): Promise<replies.AnyFirmPage> }
  companies: {
    /** Returns undefined if the company does not exist. */
    get(domain: string, query?: CompanyInput, signal?: AbortSignal): Promise<replies.AnyRecord | undefined>
    /** Returns undefined if the host does not support this extension. */
    batchRead(body: CompanyBatchInput, signal?: AbortSignal): Promise<replies.AnyCompanyBatch | undefined>
    persons(domain: string, query?: CompanyPersonsInput, signal?: AbortSignal): Promise<replies.AnyPersons>
    history(domain: string, query?: HistoryInput, signal?: AbortSignal): Promise<replies.AnyEvents>
  }
  persons: {
    /** Returns undefined if the person does not exist. */
    get(id: string, query?: PersonInput, signal?: AbortSignal): Promise<replies.AnyRecord | undefined>
    /** Returns undefined if the host does not support this extension. */
    batchRead(body: PersonBatchInput, signal?: AbortSignal): Promise<replies.AnyPersonBatch | undefined>
    history(id: string, query?: HistoryInput, signal?: AbortSignal): Promise<replies.AnyEvents>
  }
  tal: {
    list(query?: TalInput, signal?: AbortSignal): Promise<replies.AnyCompanies>
    enrich(body: EnrichTalInput, options?: SubmitOptions): Promise<replies.AnySubmission>
  }
  enrich: {
    batch(body: EnrichBatchInput, options?: SubmitOptions): Promise<replies.AnySubmission>
    leadership(body: LeadershipInput, options?: SubmitOptions): Promise<replies.AnySubmission>
    signals(body: SignalsInput, options?: SubmitOptions): Promise<replies.AnySubmission>
  }
  tasks: {
    get(id: string, signal?: AbortSignal): Promise<replies.AnyTask>
    result(id: string, signal?: AbortSignal): Promise<replies.AnyTask>
    list(query?: TaskInput, signal?: AbortSignal): Promise<replies.AnyTask[]>
  }
  usage(signal?: AbortSignal): Promise<replies.AnyUsage>
  /** Returns undefined if the host does not support this extension. */
  ledgerLines(query: LedgerLineInput, signal?: AbortSignal): Promise<replies.AnyLedgerLines | undefined>
  privacy: {
    /** Returns undefined if the host does not support this extension. */
    erasures(query: { since: number }, signal?: AbortSignal): Promise<replies.AnyErasures | undefined>
  }
}

/** Throws AppError `configuration` for an invalid base URL. */
export function createHostClient({ concurrency = 8, budget, onRateLimit, ...options }: HostOptions): HostClient {
  const counts = { requests: 0, retries: 0 }
  const clock: ServiceClock = { aheadMs: undefined }
  const connection = connect(concurrency)
  const send = tracedFetch(options.fetch ?? connection.fetch)
  const policies = new RateLimitPolicies()
  const client = configured({
    ...options,
    limiter: createLimiter(concurrency, budget),
    fetch: async (url, request) => {
      counts.requests += 1
      // The warehouse must contain what was just imported, so a service must not read from a replica or a cache.
      const headers = { ...request.headers, 'cache-control': 'no-cache' }
      const reply = await send(url, { ...request, headers })
      if (budget && reply.status === 429) await pauseAll(budget, reply)
      const allowed = policies.follow(reply.headers.get('ratelimit-policy'))
      if (allowed !== undefined) onRateLimit?.(allowed)
      return reply
    },
    retry: {
      ...options.retry,
      onRetry: (retry) => {
        counts.retries += 1
        options.retry?.onRetry?.(retry)
      },
    },
    onResponse: (response) => readClock(clock, response),
  })
  return {
    baseUrl: options.baseUrl,
    counts,
    clock,
    firms: {
      // The cast is needed because the host defines the field names.
      query: (query, signal) =>
        checked(replies.AnyFirmPage, (own) => client.firms.query(query as FirmQueryInput, own), signal),
    },
    companies: {
      get: (domain, query, signal) =>
        checked(replies.AnyRecord, (own) => client.companies.get(domain, query, own), signal).catch(whenNotFound),
      batchRead: (body, signal) =>
        checked(replies.AnyCompanyBatch, (own) => client.companies.batchRead(body, own), signal).catch(whenUnsupported),
      persons: (domain, query, signal) =>
        checked(replies.AnyPersons, (own) => client.companies.persons(domain, query, own), signal),
      history: (domain, query, signal) =>
        checked(replies.AnyEvents, (own) => client.companies.history(domain, query, own), signal),
    },
    persons: {
      get: (id, query, signal) =>
        checked(replies.AnyRecord, (own) => client.persons.get(id, query, own), signal).catch(whenNotFound),
      batchRead: (body, signal) =>
        checked(replies.AnyPersonBatch, (own) => client.persons.batchRead(body, own), signal).catch(whenUnsupported),
      history: (id, query, signal) =>
        checked(replies.AnyEvents, (own) => client.persons.history(id, query, own), signal),
    },
    tal: {
      list: (query, signal) => checked(replies.AnyCompanies, (own) => client.tal.list(query, own), signal),
      enrich: (body, options) => submitted((own) => client.tal.enrich(body, own), options, body.dry_run),
    },
    enrich: {
      batch: (body, options) => submitted((own) => client.enrich.batch(body, own), options),
      leadership: (body, options) => submitted((own) => client.enrich.leadership(body, own), options),
      signals: (body, options) => submitted((own) => client.enrich.signals(body, own), options),
    },
    tasks: {
      get: (id, signal) => checked(replies.AnyTask, (own) => client.tasks.get(id, own), signal),
      result: (id, signal) => checked(replies.AnyTask, (own) => client.tasks.result(id, own), signal),
      list: async (query, signal) =>
        (await checked(replies.AnyTasks, (own) => client.tasks.list(query, own), signal)).tasks,
    },
    ledgerLines: (query, signal) =>
      checked(replies.AnyLedgerLines, (own) => client.ledgerLines(query, own), signal).catch(whenNotFound),
    usage: (signal) => checked(replies.AnyUsage, (own) => client.usage(own), signal),
    privacy: {
      erasures: (query, signal) =>
        checked(replies.AnyErasures, (own) => client.privacy.erasures(query, own), signal).catch(whenNotFound),
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}

/** Pauses all users of the budget after a 429. */
async function pauseAll(budget: RateBudget, { headers }: FetchReply): Promise<void> {
  const seconds = retryAfterSeconds(headers.get('retry-after') ?? undefined)
  if (seconds !== undefined) await budget.pause(Math.min(seconds * 1000, MAX_PAUSE))
}

function configured(options: ClientOptions) {
  try {
    return createClient(options)
  } catch (error) {
    throw asAppError(error)
  }
}

/** Sends a submission. `repeatable` marks a dry run, which is free and can be retried. */
const submitted = (
  call: (options: PaidOptions) => Promise<unknown>,
  { idempotencyKey, signal }: SubmitOptions = {},
  repeatable = false,
): Promise<replies.AnySubmission> =>
  checked(replies.AnySubmission, (own) => call({ ...own, idempotencyKey, repeatable }), signal)

function whenNotFound(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined
  throw error
}

function whenUnsupported(error: unknown): undefined {
  if (isRefused(error)) return undefined
  throw error
}
