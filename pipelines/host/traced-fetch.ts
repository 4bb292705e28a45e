import type { Fetch } from '../../src/client/index.ts'
import { inSpan, traceparent } from '../../src/lib/tracing.ts'

/** Sends requests in a span, with its trace context for the service. */
export const tracedFetch =
  (send: Fetch): Fetch =>
  (url, request) =>
    inSpan(request.method, { kind: 'CLIENT', attributes: { 'http.request.method': request.method } }, () => {
      const parent = traceparent()
      return send(url, parent ? { ...request, headers: { ...request.headers, traceparent: parent } } : request)
    })
