import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import type { App } from '../deps.ts'

/** A caller may name its request, so that its log and ours can be put side by side. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{8,128}$/.test(given) ? given : randomUUID()
}

/** One line a request: the route's pattern instead of its path, and never a query, a header or a body. */
class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client_id: request.caller?.clientId,
    }
    if (error) request.log.warn({ ...line, err: error }, 'the reply was not sent')
    else request.log.info(line, 'request')
  }

  // Failures are logged where they are named.
  override defaultErrorLog(): void {}
  override routeNotFound(): void {}
}

export const createRequestLog = (): LogController => new RequestLog({ requestIdLogLabel: 'request_id' })

/** Every reply tells the name of its request, for whoever has a question about it. */
export function echoRequestId(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
}
