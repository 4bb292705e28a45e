import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import type { AddressList } from '../lib/address-list.ts'
import type { App, MetricsAccess } from './deps.ts'
import { sendProblem } from './errors.ts'
import { serveMetrics } from './plugins/metrics.ts'
import { refuseMalformed, serverOptions } from './server.ts'

interface MetricsAppDeps extends Required<MetricsAccess> {
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: AddressList
}

/** Creates an HTTP application with only /metrics, for processes that do not serve the API. */
export function createMetricsApp({ trustedProxies, ...metrics }: MetricsAppDeps): App {
  const app: App = fastify({
    ...serverOptions,
    trustProxy: trustedProxies,
    clientErrorHandler: refuseMalformed,
    frameworkErrors: sendProblem,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setErrorHandler(sendProblem)
  serveMetrics(app, metrics)
  return app
}
