import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { FairSlots } from '../../lib/fair-slots.ts'
import type { App, AppDeps } from '../deps.ts'

/** Maximum queued requests per client. */
const MAX_WAITING = 200

declare module 'fastify' {
  interface FastifyRequest {
    /** A slot for one of the client's concurrent requests. Disposal frees the slot for the next request. */
    slot?: Disposable
    takeSlot(): Promise<void>
  }
}

/** Limits concurrent requests per client. Further requests are queued, or rejected with 429 if the queue is full. */
export function limitConcurrency(api: App, { requestsPerClient = 8 }: AppDeps): void {
  const slots = new FairSlots({ perUser: requestsPerClient })
  api.decorateRequest('takeSlot', async function (this: FastifyRequest) {
    this.slot = await slots.acquire(this.caller.clientId)
  })
  api.addHook('preHandler', async (request) => {
    if (slots.waiting(request.caller.clientId) >= MAX_WAITING) throw tooMany()
    await request.takeSlot()
  })
  // Slots are freed when the response is ready, not when the client disconnects, because the handler continues to use
  // the database after a disconnect.
  api.addHook('onSend', async ({ slot }) => slot?.[Symbol.dispose]())
}

/**
 * Frees the request's slot while `work` waits without using service resources, so that waiting requests do not block
 * other requests from the same client.
 */
export async function withoutSlot<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  request.slot?.[Symbol.dispose]()
  const result = await work()
  await request.takeSlot()
  return result
}

const tooMany = (): AppError =>
  new AppError('rate_limited', 'Too many concurrent requests. Wait for a response before sending another request.', {
    retryable: true,
    retryAfter: 1,
  })
