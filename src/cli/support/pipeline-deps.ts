import type { Registry } from 'prom-client'
import { createHostClient } from '../../../pipelines/host/host-client.ts'
import type { RateBudget } from '../../../pipelines/host/rate-budget.ts'
import { createRateBudget } from '../../../pipelines/host/rate-budget.ts'
import { createLineage } from '../../../pipelines/lineage/lineage.ts'
import type { LineageNames } from '../../../pipelines/lineage/run-event.ts'
import type { LineageReporter, PipelineDeps } from '../../../pipelines/runner/pipeline.ts'
import { warehouseRateStore } from '../../../pipelines/runner/rate-store.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { sleep } from '../../lib/backoff.ts'
import { databaseClock } from '../../lib/database-clock.ts'
import type { Postgres } from '../../lib/postgres.ts'
import { openAlerts } from './alerts.ts'
import type { Command } from './command.ts'
import { serviceAddress, serviceKey } from './service-key.ts'
import { sinkOf, snapshotFormat, snapshotUrl } from './sink.ts'

/** Number of rate budget slots reserved per round trip to the warehouse. */
const LEASE = 10

/** Maximum requests per second to a service that does not send RateLimit headers. */
const UNSTATED_LIMIT = 200

export interface OpenPipelines extends AsyncDisposable {
  deps: PipelineDeps
}

interface PipelineOptions {
  /** URL of the service. @default the configured URL */
  baseUrl?: string
  /** @default no metrics */
  metrics?: Registry
}

/** Creates the pipelines' dependencies. The caller must close the dependencies before the warehouse. */
export async function openPipelines(
  command: Command,
  warehouse: Postgres<WarehouseTables>,
  { baseUrl = serviceAddress(command), metrics }: PipelineOptions = {},
): Promise<OpenPipelines> {
  const { pipelines: settings } = command.config
  const limits = { perSecond: Math.min(settings.requests_per_second, UNSTATED_LIMIT), burst: settings.burst }
  const budget = createRateBudget(warehouseRateStore(warehouse.db, baseUrl, limits), LEASE)
  const client = createHostClient({
    baseUrl,
    apiKey: await serviceKey(command),
    concurrency: settings.concurrency,
    timeout: settings.timeout_seconds * 1000,
    ...(limits.perSecond > 0 && {
      budget: metrics ? await measured(metrics, budget) : budget,
      onRateLimit: (perSecond: number) => {
        limits.perSecond = Math.min(settings.requests_per_second, perSecond)
      },
    }),
  })
  const snapshots = {
    open: () => sinkOf(command.config),
    ...snapshotFormat(command.config),
    keep: command.config.snapshot.keep,
  }
  const deps = {
    warehouse,
    client,
    log: command.log,
    clock: databaseClock(warehouse.db),
    sleep,
    timeZone: command.config.schedule.time_zone,
    settings,
    snapshots,
    reporter: openAlerts(command),
    lineage: openLineage(command, { serviceUrl: baseUrl, warehouseUrl: warehouse.url }),
  }
  return { deps, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() }
}

function openLineage(
  { config, log }: Command,
  urls: Pick<LineageNames, 'serviceUrl' | 'warehouseUrl'>,
): LineageReporter | undefined {
  const { lineage, secrets } = config
  if (lineage.url === '') return undefined
  return createLineage({ ...lineage, ...urls, snapshotUrl: snapshotUrl(config), apiKey: secrets.lineage_api_key, log })
}

/** Imports the metrics on demand, because commands that run a single pipeline do not collect metrics. */
async function measured(metrics: Registry, budget: RateBudget): Promise<RateBudget> {
  const { measureBudget } = await import('../../../pipelines/host/measure-budget.ts')
  return measureBudget(metrics, budget)
}
