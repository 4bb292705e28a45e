import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { listExpectations } from '../../../pipelines/checks/expectations.ts'
import type { WarehouseMetrics } from '../../../pipelines/operations/warehouse-metrics.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Config } from '../../config/schema.ts'
import type { MetricsAccess } from '../../http/deps.ts'
import { listen } from '../../http/listen.ts'
import { createMetricsApp } from '../../http/metrics-app.ts'
import { parseAddressList } from '../../lib/address-list.ts'
import type { Command } from './command.ts'

/** Access rules for the metrics, from the HTTP service's settings. */
export const metricsAccess = ({ http, secrets }: Config, registry: Registry): Required<MetricsAccess> => ({
  readers: parseAddressList('http.metrics_addresses', http.metrics_addresses),
  token: secrets.metrics_token,
  registry,
})

export const warehouseMetrics = ({ config, log }: Command, db: Kysely<WarehouseTables>): WarehouseMetrics => ({
  db,
  schedule: config.schedule,
  targetShare: config.pipelines.freshness.target_share,
  expectations: listExpectations(config.pipelines.expectations),
  log,
})

/**
 * Serves metrics at the process's `metrics_listen` address, for processes without an HTTP service. Does nothing if the
 * setting is empty.
 */
export async function listenForMetrics(
  { config, out }: Command,
  registry: Registry,
  role: 'work' | 'schedule',
): Promise<AsyncDisposable> {
  const address = config[role].metrics_listen
  if (address === '') return { async [Symbol.asyncDispose]() {} }
  const app = createMetricsApp({
    ...metricsAccess(config, registry),
    trustedProxies: parseAddressList('http.trusted_proxies', config.http.trusted_proxies),
  })
  const { hostname: host, port } = new URL(`http://${address}`)
  const setting = `TALHOUSE_${role.toUpperCase()}_METRICS_LISTEN`
  const server = await listen(app, { host: host.replace(/^\[|\]$/g, ''), port: Number(port || 80) }, setting)
  out.note(`Metrics: ${server.url}/metrics`)
  return server
}
