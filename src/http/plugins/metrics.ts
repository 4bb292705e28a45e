import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { App } from '../deps.ts'
import { HttpError } from '../problem.ts'

/** Seconds. A read of one company takes a few milliseconds, a statement is cut off at ten seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures every request by the pattern of its route, and tells it at /metrics to whoever asks on this machine. */
export function measure(app: App): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'talhouse_' })
  const seconds = new Histogram({
    name: 'talhouse_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const cutOff = new Counter({
    name: 'talhouse_http_aborted_total',
    help: 'Requests whose caller went away before the reply was sent.',
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const route = routeOptions.url ?? 'none'
    seconds.observe(
      { method: route === 'none' ? 'any' : method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  app.addHook('onRequestAbort', async (_request) => cutOff.inc())

  // Whoever comes through a proxy is not on this machine.
  app.get('/metrics', { schema: { hide: true } }, async ({ ip, headers }, reply) => {
    const proxied = headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip']
    if (!isLoopback(ip) || proxied !== undefined)
      throw new HttpError('not_found', 'Metrics are told on the machine of the service alone.')
    return await reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

const isLoopback = (ip: string): boolean => ip === '::1' || /^(::ffff:)?127\./.test(ip)
