import type { Static } from 'typebox'
import { Type } from 'typebox'
import { pathOf } from './path.ts'
import type { AnyRecord } from './records.ts'
import type { CallOptions, RequestJson } from './request.ts'

const nullableText = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** The response to a submission. All fields are optional, because the interface does not define the response to a dry run. */
const AnySubmission = Type.Object({
  task_id: nullableText,
  status: Type.Optional(Type.String()),
  message: nullableText,
  units_charged: Type.Optional(Type.Number()),
  units_remaining: Type.Optional(Type.Number()),
  units_required: Type.Optional(Type.Number()),
  companies_to_enrich: Type.Optional(Type.Number()),
  companies_skipped: Type.Optional(Type.Number()),
})
export type AnySubmission = Static<typeof AnySubmission>

const AnyTask = Type.Object({
  id: Type.String(),
  task_type: Type.Optional(Type.String()),
  status: Type.String(),
  progress: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  created_at: nullableText,
  completed_at: nullableText,
  units_refunded: Type.Optional(Type.Number()),
  input_data: Type.Optional(Type.Unknown()),
  output_data: Type.Optional(Type.Unknown()),
})
export type AnyTask = Static<typeof AnyTask>

const AnyUsage = Type.Object({
  plan: Type.Optional(Type.String()),
  units_remaining: Type.Number(),
  units_used_this_period: Type.Optional(Type.Number()),
  period_started_at: nullableText,
  period_ends_at: nullableText,
  overage_allowed: Type.Optional(Type.Boolean()),
})
export type AnyUsage = Static<typeof AnyUsage>

const AnyTasks = Type.Object({ tasks: Type.Array(AnyTask) })

/**
 * Options of a submission. It is retried only after a 429, because a lost response may have been charged. Set `resend` for hosts that
 * support idempotency keys.
 */
export interface SubmitOptions {
  idempotencyKey?: string
  resend?: boolean
  signal?: AbortSignal | undefined
}

export interface EnrichClient {
  /** `POST /v2/enrich/company`: 1 unit, +5 with leadership, +3 with signals. */
  company(
    body: { domain: string; include_leadership?: boolean; include_signals?: boolean; force?: boolean },
    options?: SubmitOptions,
  ): Promise<AnySubmission>
  /** `POST /v2/enrich/batch`: 1 unit each. */
  batch(
    body: { domains?: readonly string[]; emails?: readonly string[] },
    options?: SubmitOptions,
  ): Promise<AnySubmission>
  /** `POST /v2/search/leadership`: 5 units per domain, at most 10. */
  leadership(
    body: { domains: readonly string[]; max_per_company?: number },
    options?: SubmitOptions,
  ): Promise<AnySubmission>
  /** `POST /v2/discover/signals`: 3 units per domain, at most 50. */
  signals(
    body: { domains: readonly string[]; max_articles_per_company?: number },
    options?: SubmitOptions,
  ): Promise<AnySubmission>
  /** `POST /v2/clients/me/tal/enrich`: 1 unit per stale company; `dry_run` is free. */
  tal(
    body: { force?: boolean; max_age_days?: number; dry_run?: boolean },
    options?: SubmitOptions,
  ): Promise<AnySubmission>
}

export interface TasksClient {
  get(id: string, signal?: AbortSignal): Promise<AnyTask>
  result(id: string, signal?: AbortSignal): Promise<AnyTask>
  list(query?: { status?: string; limit?: number }, signal?: AbortSignal): Promise<AnyTask[]>
}

export interface UsageClient {
  get(signal?: AbortSignal): Promise<AnyUsage>
}

export const enrichClient = (call: RequestJson): EnrichClient => {
  const submit = (
    path: string,
    body: AnyRecord,
    { idempotencyKey, resend, signal }: SubmitOptions = {},
  ): CallOptions => ({
    method: 'POST',
    path,
    body,
    // Dry runs are free.
    repeatable: resend === true || body['dry_run'] === true,
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    signal,
  })
  return {
    company: (body, options) => call(AnySubmission, submit('/v2/enrich/company', body, options)),
    batch: (body, options) => call(AnySubmission, submit('/v2/enrich/batch', body, options)),
    leadership: (body, options) => call(AnySubmission, submit('/v2/search/leadership', body, options)),
    signals: (body, options) => call(AnySubmission, submit('/v2/discover/signals', body, options)),
    tal: (body, options) => call(AnySubmission, submit('/v2/clients/me/tal/enrich', body, options)),
  }
}

export const tasksClient = (call: RequestJson): TasksClient => ({
  get: (id, signal) => call(AnyTask, { method: 'GET', path: pathOf(['v2', 'tasks', id]), signal }),
  result: (id, signal) => call(AnyTask, { method: 'GET', path: pathOf(['v2', 'tasks', id, 'result']), signal }),
  list: async (query, signal) =>
    (await call(AnyTasks, { method: 'GET', path: pathOf(['v2', 'tasks'], query), signal })).tasks,
})

export const usageClient = (call: RequestJson): UsageClient => ({
  get: (signal) => call(AnyUsage, { method: 'GET', path: '/v2/usage', signal }),
})
