import { createHash, timingSafeEqual } from 'node:crypto'
import { Counter, Histogram, Registry } from 'prom-client'
import type { App, MetricsAccess } from '../deps.ts'
import { HttpError } from '../problem.ts'

/** Bucket bounds in seconds. Reading a company takes a few milliseconds; statements time out after ten seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Records the duration of every request by route pattern, and serves /metrics to the allowed addresses. */
export function measure(app: App, metrics: MetricsAccess): void {
  const { registry = new Registry() } = metrics
  const seconds = new Histogram({
    name: 'talhouse_http_request_duration_seconds',
    help: 'Time from the first byte of the request to the last byte of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const aborted = new Counter({
    name: 'talhouse_http_requests_aborted_total',
    help: 'Requests aborted by the client before the response was sent.',
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const route = routeOptions.url ?? 'none'
    seconds.observe(
      { method: route === 'none' ? 'any' : method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  app.addHook('onRequestAbort', async (_request) => aborted.inc())
  serveMetrics(app, { ...metrics, registry })
}

/** Serves /metrics to the allowed addresses. */
export function serveMetrics(app: App, { registry, readers, token }: Required<MetricsAccess>): void {
  app.get('/metrics', { schema: { hide: true } }, async ({ ip, headers: { authorization } }, reply) => {
    if (!readers(ip) && !isBearer(authorization, token))
      throw new HttpError(
        'not_found',
        'Metrics are not available from this address. The operator can grant access with http.metrics_addresses or TALHOUSE_METRICS_TOKEN.',
      )
    return await reply.type(registry.contentType).send(await registry.metrics())
  })
}

/**
 * Compares hashes in constant time. All hashes have the same length, so the comparison does not reveal the token's
 * length.
 */
function isBearer(authorization: string | undefined, token: string | undefined): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return given !== undefined && token !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
