import type { ErrorCode, Issue } from '../lib/errors.ts'
import { AppError } from '../lib/errors.ts'
import type { Call, Reply } from './call.ts'
import { callName, header } from './call.ts'
import { MAX_RETRY_AFTER, retryAfterOf } from './retry-after.ts'

const CODES: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  402: 'insufficient_units',
  403: 'trial_expired',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable',
  429: 'rate_limited',
}

/** Converts an error response; the message has the call, the reason and the request ID. */
export function problemOf(call: Call, reply: Reply): AppError {
  const wait = retryAfterOf(reply)
  const issues = issuesIn(reply.body)
  return new AppError(
    CODES[reply.status] ?? 'upstream_failed',
    `${callName(call)} returned ${reply.status}: ${detailIn(reply.body)}${waitText(wait)}${requestId(reply)}`,
    {
      retryable: reply.status === 429 || reply.status >= 500,
      ...(wait !== undefined && { retryAfter: Math.ceil(wait / 1000) }),
      ...(issues && { issues }),
    },
  )
}

/** Reports a `Retry-After` that is too long to wait for. */
const waitText = (wait: number | undefined): string =>
  wait !== undefined && wait > MAX_RETRY_AFTER ? `; Retry-After is ${Math.round(wait / 1000)} s` : ''

/** ` (request abc)`, or empty if the service sent no request ID. */
export function requestId(reply: Reply): string {
  const inBody = isRecord(reply.body) ? reply.body['request_id'] : undefined
  const id = typeof inBody === 'string' ? inBody : header(reply, 'x-request-id')
  return id ? ` (request ${id})` : ''
}

function detailIn(body: unknown): string {
  const detail = isRecord(body) ? body['detail'] : undefined
  if (detail === undefined) return 'no reason given'
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

function issuesIn(body: unknown): Issue[] | undefined {
  const errors = isRecord(body) ? body['errors'] : undefined
  if (!Array.isArray(errors)) return undefined
  return errors.filter(isRecord).map((error) => ({ path: String(error['path']), message: String(error['message']) }))
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
