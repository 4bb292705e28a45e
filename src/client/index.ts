import PQueue from 'p-queue'
import type { Static } from 'typebox'
import { AppError } from '../lib/errors.ts'
import type { Send } from './call.ts'
import { mismatch } from './check-reply.ts'
import { connect } from './connection.ts'
import type { EnrichClient, TasksClient, UsageClient } from './enrichment.ts'
import { enrichClient, tasksClient, usageClient } from './enrichment.ts'
import type { FirmsClient } from './firms.ts'
import { firmsClient } from './firms.ts'
import { problemOf } from './problem.ts'
import type { RateBudget } from './rate-budget.ts'
import type { CompaniesClient, PersonsClient, TalClient } from './records.ts'
import { companiesClient, personsClient, talClient } from './records.ts'
import type { CallOptions, RequestJson } from './request.ts'
import type { ServiceClock } from './service-clock.ts'
import { withServiceClock } from './service-clock.ts'
import { withQueue } from './with-queue.ts'
import { withRateBudget } from './with-rate-budget.ts'
import type { RetryOptions } from './with-retry.ts'
import { withRetry } from './with-retry.ts'
import { withTimeout } from './with-timeout.ts'

export interface ClientOptions {
  baseUrl: string
  apiKey: string
  /** Maximum concurrent requests. Minimum: 1. @default 8 */
  concurrency?: number
  /** Timeout of one attempt in milliseconds, including the body. @default 30_000 */
  timeout?: number
  retry?: RetryOptions
  /** Rate limit shared by all clients with the same budget. @default none */
  budget?: RateBudget
  /** Aborts all requests. */
  signal?: AbortSignal
  /** Replaces the network in tests. */
  send?: Send
}

/** Requests sent, including retries. */
export interface ClientCounts {
  requests: number
  retries: number
}

/** A client for talhouse and other hosts of the interface. Disposal closes its connections. */
export interface Client extends AsyncDisposable {
  /** Increases during use. */
  readonly counts: Readonly<ClientCounts>
  readonly clock: Readonly<ServiceClock>
  /** Sends a request that has no method below. */
  call: RequestJson
  firms: FirmsClient
  companies: CompaniesClient
  persons: PersonsClient
  tal: TalClient
  enrich: EnrichClient
  tasks: TasksClient
  usage: UsageClient
}

/** Layers, from outside: retry, rate budget, concurrency, timeout. Waits of retries do not occupy the queue. */
export function createClient(options: ClientOptions): Client {
  const concurrency = options.concurrency ?? 8
  const counts: ClientCounts = { requests: 0, retries: 0 }
  const clock: ServiceClock = { aheadMs: undefined }
  const connection = options.send ? undefined : connect(options.baseUrl, options.apiKey, concurrency)
  const counted = withCount(withServiceClock((options.send ?? connection?.send) as Send, clock), counts)
  const queued = withQueue(withTimeout(counted, options.timeout ?? 30_000), new PQueue({ concurrency }))
  const budgeted = options.budget ? withRateBudget(queued, options.budget) : queued
  const send = withRetry(budgeted, {
    ...options.retry,
    onRetry: (...retry) => {
      counts.retries += 1
      options.retry?.onRetry?.(...retry)
    },
  })
  const call: RequestJson = async (schema, given) => {
    const full = { ...given, repeatable: given.repeatable ?? given.method === 'GET', signal: joined(given, options) }
    full.signal?.throwIfAborted()
    const reply = await send(full)
    if (reply.status < 200 || reply.status >= 300) throw problemOf(full, reply)
    const problem = mismatch(schema, reply.body)
    if (problem) throw new AppError('upstream_failed', problem(full, reply))
    return reply.body as Static<typeof schema>
  }
  return {
    counts,
    clock,
    call,
    firms: firmsClient(call),
    companies: companiesClient(call),
    persons: personsClient(call),
    tal: talClient(call),
    enrich: enrichClient(call),
    tasks: tasksClient(call),
    usage: usageClient(call),
    [Symbol.asyncDispose]: async () => await connection?.[Symbol.asyncDispose](),
  }
}

function withCount(send: Send, counts: ClientCounts): Send {
  return (call) => {
    counts.requests += 1
    return send(call)
  }
}

function joined(call: CallOptions, options: ClientOptions): AbortSignal | undefined {
  return call.signal && options.signal
    ? AbortSignal.any([call.signal, options.signal])
    : (call.signal ?? options.signal)
}
