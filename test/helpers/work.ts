import type { Db, ServiceTables } from '../../src/db/database.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import type { Queue } from '../../src/lib/queue.ts'
import { openQueue } from '../../src/lib/queue.ts'
import { openReceivers } from '../../src/webhooks/receivers.ts'
import type { Look, LookResult } from '../../src/worker/carry-out-item.ts'
import { QUEUES, work } from '../../src/worker/worker.ts'
import { testDatabase } from './database.ts'

/** A database with its queue, and workers on demand. */
export interface Workshop extends AsyncDisposable {
  db: Db
  queue: Queue
  url: string
  /** Starts a worker in this process; disposing of it stops it cleanly. */
  startWorker(look: Look, options?: { concurrency?: number; graceSeconds?: number }): AsyncDisposable
}

export async function openWorkshop(): Promise<Workshop> {
  await using stack = new AsyncDisposableStack()
  const service: Postgres<ServiceTables> = stack.use(await testDatabase<ServiceTables>('service'))
  const queue = stack.use(await openQueue(service.url, { log: silentLog, queues: QUEUES, supervise: true }))
  const receivers = stack.use(openReceivers({ allowHttp: true, allowPrivate: true, ports: [] }))
  const startWorker: Workshop['startWorker'] = (look, { concurrency = 5, graceSeconds = 5 } = {}) => {
    const stop = new AbortController()
    const deps = { db: service.db, queue, log: silentLog, look, clock: systemClock, receivers }
    const options = { log: silentLog, concurrency, deliveries: 5, signal: stop.signal, graceSeconds }
    const ended = work(deps, options)
    return {
      async [Symbol.asyncDispose]() {
        stop.abort()
        await ended
      },
    }
  }
  const rest = stack.move()
  return { db: service.db, queue, url: service.url, startWorker, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

/** A look that finds what it is told, by domain; a company that is not named is complete. */
export function findsAs(outcomes: Record<string, Partial<LookResult>> = {}): Look {
  return async (item) => async () => ({
    outcome: 'complete',
    reason: null,
    output: { domain: item.domain },
    retryable: false,
    ...outcomes[item.domain ?? ''],
  })
}
