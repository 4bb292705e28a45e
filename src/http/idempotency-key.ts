import type { FastifyRequest } from 'fastify'
import type { Idempotency } from '../tasks/idempotency.ts'
import { idempotency } from '../tasks/idempotency.ts'

/** Returns the idempotency data of a request with an Idempotency-Key header; null if the header is absent. */
export function requestIdempotency(request: FastifyRequest): Idempotency | null {
  // The query string is ignored, because `wait` does not change the request.
  const path = request.url.split('?', 1)[0] as string
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? idempotency(key, request.method, path, request.body) : null
}
