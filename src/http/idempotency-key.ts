import type { FastifyRequest } from 'fastify'
import type { Idempotency } from '../tasks/idempotency.ts'
import { idempotency } from '../tasks/idempotency.ts'

/** What makes this request the same as an earlier one, when it carries an Idempotency-Key. */
export function requestIdempotency(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? idempotency(key, request.method, request.url, request.body) : null
}
