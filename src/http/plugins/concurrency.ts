import { AppError } from '../../lib/errors.ts'
import type { App, AppDeps } from '../deps.ts'

/** Maximum queued requests per client. */
const MAX_WAITING = 200

interface Slots {
  free: number
  waiting: (() => void)[]
}

declare module 'fastify' {
  interface FastifyRequest {
    releaseSlot?: (() => void) | undefined
  }
}

/** Limits concurrent requests per client. Further requests are queued, or rejected with 429 if the queue is full. */
export function limitConcurrency(api: App, { requestsPerClient = 8 }: AppDeps): void {
  const clients = new Map<string, Slots>()

  const acquire = async (clientId: string): Promise<() => void> => {
    const slots = clients.get(clientId) ?? { free: requestsPerClient, waiting: [] }
    clients.set(clientId, slots)
    if (slots.free > 0) slots.free -= 1
    else if (slots.waiting.length < MAX_WAITING) await new Promise<void>((resolve) => slots.waiting.push(resolve))
    else throw tooMany()
    return () => {
      const next = slots.waiting.shift()
      if (next) next()
      else slots.free += 1
      if (slots.free === requestsPerClient) clients.delete(clientId)
    }
  }

  api.addHook('preHandler', async (request) => {
    request.releaseSlot = await acquire(request.caller.clientId)
  })
  // Runs for every response, even after the client has disconnected, because the handler uses the database until it has
  // finished.
  api.addHook('onSend', async (request) => {
    request.releaseSlot?.()
    request.releaseSlot = undefined
  })
}

const tooMany = (): AppError =>
  new AppError('rate_limited', 'Too many concurrent requests. Wait for a response before sending another request.', {
    retryable: true,
    retryAfter: 1,
  })
