import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import type { App } from '../deps.ts'

/** Uses the client's X-Request-Id if it is valid, so that client and server logs can be correlated. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{8,128}$/.test(given) ? given : randomUUID()
}

/** Logs one line per request with the route pattern. Never logs path, query, headers or body. */
class RequestLog extends LogController {
  readonly #level: 'info' | 'debug'

  constructor(level: 'info' | 'debug') {
    super({ requestIdLogLabel: 'request_id' })
    this.#level = level
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client_id: request.caller?.clientId,
    }
    if (error) request.log.warn({ ...line, err: error }, 'response not sent')
    else request.log[reply.statusCode < 400 ? this.#level : 'info'](line, 'request')
  }

  // sendProblem logs errors.
  override defaultErrorLog(): void {}
  override routeNotFound(): void {}
}

/** Creates the request log. `level` applies to successful requests; other requests are logged at info. */
export const createRequestLog = (level: 'info' | 'debug' = 'info'): LogController => new RequestLog(level)

/** Sets X-Request-Id on every response. */
export function echoRequestId(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
}
