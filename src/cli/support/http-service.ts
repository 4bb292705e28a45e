import { KeyRing } from '../../auth/key-ring.ts'
import type { ServiceTables } from '../../db/database.ts'
import { createApp } from '../../http/app.ts'
import type { HttpServer } from '../../http/listen.ts'
import { listen } from '../../http/listen.ts'
import type { Warehouse } from '../../http/warehouse.ts'
import type { Postgres } from '../../lib/postgres.ts'
import { openQueue } from '../../lib/queue.ts'
import { RateLimiter } from '../../rate-limits/rate-limiter.ts'
import { openReceivers } from '../../webhooks/receivers.ts'
import { readSealingKeys } from '../../webhooks/seal-secret.ts'
import { QUEUES } from '../../worker/worker.ts'
import type { Command } from './command.ts'
import { consoleFolder } from './console/console-folder.ts'
import { receiverOptions } from './receiver-options.ts'

interface HttpOptions {
  /** @default info */
  requestLogLevel?: 'info' | 'debug'
  /** Serves `/v2/warehouse`. */
  warehouse?: Warehouse | undefined
}

/** Starts the HTTP service. The caller closes it before the database. */
export async function openHttpService(
  command: Command,
  { db, pool, url: database }: Postgres<ServiceTables>,
  { requestLogLevel = 'info', warehouse }: HttpOptions = {},
): Promise<HttpServer> {
  await using stack = new AsyncDisposableStack()
  const { config, log } = command
  const keyRing = stack.use(new KeyRing(db))
  const queue = stack.use(await openQueue(database, { log, queues: QUEUES, supervise: false, connections: 2 }))
  const receivers = stack.use(openReceivers(receiverOptions(config)))
  const app = await createApp({
    db,
    pool,
    log,
    requestLogLevel,
    keyRing,
    rateLimiter: new RateLimiter(db),
    queue,
    receivers,
    webhookKeys: readSealingKeys(config.secrets.webhook_keys),
    freshDays: config.enrichment.fresh_days,
    warehouse,
    consoleFolder: consoleFolder(log),
  })
  const { url } = stack.use(await listen(app, config.http))
  const rest = stack.move()
  return { url, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}
