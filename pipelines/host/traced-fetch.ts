import type { Fetch } from '../../src/client/index.ts'
import { inSpan, traceparent } from '../../src/lib/tracing.ts'

/** Sends each request in a span, and passes the span's trace context to the service. */
export const tracedFetch =
  (send: Fetch): Fetch =>
  (url, request) =>
    inSpan(request.method, { kind: 'CLIENT', attributes: { 'http.request.method': request.method } }, () => {
      const parent = traceparent()
      return send(url, parent ? { ...request, headers: { ...request.headers, traceparent: parent } } : request)
    })
