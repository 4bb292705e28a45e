import { Registry } from 'prom-client'
import type { ServiceTables } from '../../db/database.ts'
import { systemClock } from '../../lib/clock.ts'
import { onFirstUse } from '../../lib/on-first-use.ts'
import type { Postgres } from '../../lib/postgres.ts'
import { openQueue } from '../../lib/queue.ts'
import { openReceivers } from '../../webhooks/receivers.ts'
import { readSealingKeys } from '../../webhooks/seal-secret.ts'
import { createItemEnricher } from '../../worker/enrich.ts'
import { workMetrics } from '../../worker/metrics.ts'
import type { ItemEnricher } from '../../worker/run-item.ts'
import { QUEUES, work } from '../../worker/worker.ts'
import type { Command } from './command.ts'
import { openProviders } from './providers.ts'
import { receiverOptions } from './receiver-options.ts'

/**
 * Runs a worker until the command's signal is aborted, then finishes the jobs in progress. The caller must close the
 * database afterwards.
 */
export async function workUntilStopped(
  command: Command,
  { db, url }: Postgres<ServiceTables>,
  metrics = new Registry(),
): Promise<void> {
  const { config, log, signal } = command
  const { concurrency, deliveries, grace_seconds: graceSeconds } = config.work
  await using queue = await openQueue(url, { log, queues: QUEUES, supervise: true })
  await using receivers = openReceivers(receiverOptions(config))
  const measured = workMetrics(metrics)
  await using providers = openProviders(command, db, measured)
  const { people_per_company: people, articles_per_company: articles, fresh_days: freshDays } = config.enrichment
  const limits = { people, articles }
  const enricher = onFirstUse(async () =>
    createItemEnricher({ db, providers: await providers.list(), log, limits, freshDays }),
  )
  const enrichItem: ItemEnricher = async (item, signal) => (await enricher())(item, signal)
  const webhookKeys = readSealingKeys(config.secrets.webhook_keys)
  const { onTaskEnd, onWebhookAttempt } = measured
  const deps = { db, queue, log, enrichItem, clock: systemClock, receivers, webhookKeys, onTaskEnd, onWebhookAttempt }
  const { retention_days: deliveryRetentionDays } = config.webhooks
  await work(deps, { log, concurrency, deliveries, deliveryRetentionDays, signal, graceSeconds })
}

/** Starts a worker in the background. Disposal stops the worker and waits for the jobs in progress. */
export function openWorker(command: Command, service: Postgres<ServiceTables>, metrics?: Registry): AsyncDisposable {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, command.signal])
  const ended = workUntilStopped({ ...command, signal }, service, metrics)
  ended.catch((error: unknown) => command.log.error({ err: error }, 'worker failed'))
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}
