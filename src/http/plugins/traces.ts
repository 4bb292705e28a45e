import type { FastifyRequest } from 'fastify'
import type { OpenSpan } from '../../lib/tracing.ts'
import { openSpan } from '../../lib/tracing.ts'
import type { App } from '../deps.ts'

/** Starts a span for each request. If the request has `traceparent`, the span belongs to the caller's trace. */
export function traceRequests(app: App): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', async (request) => {
    const { method, headers } = request
    const attributes = { 'http.request.method': method }
    const parent = [headers['traceparent']].flat()[0] ?? null
    spans.set(request, openSpan(method, { kind: 'SERVER', attributes, parent }))
  })
  // The span is activated after the body has been read, because event handlers called while the body is read run
  // outside the span.
  app.addHook('preHandler', (request, _reply, done) => spans.get(request)?.run(done))
  app.addHook('onError', async (request, _reply, error) => spans.get(request)?.fail(error))
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request)
    const route = request.routeOptions.url ?? 'none'
    span?.rename(`${request.method} ${route}`)
    span?.end({ 'http.route': route, 'http.response.status_code': reply.statusCode })
  })
}
