import type { Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import type { Log } from '../lib/logger.ts'
import { measureStored } from '../lib/metrics.ts'
import type { Queue } from '../lib/queue.ts'

/** Maximum number of clients reported separately, highest usage first. Each client adds a time series. */
const MAX_CLIENTS = 200

/** Reports queue sizes and clients' unit balances, which are identical in all service processes. */
export function measureService(registry: Registry, { db, queue, log }: { db: Db; queue: Queue; log: Log }): void {
  measureStored(registry, {
    database: 'service',
    log,
    gauges: {
      jobs: {
        name: 'talhouse_queue_jobs',
        help: 'Jobs in the queue: ready, deferred (a retry that is not due) or active. Counted every few seconds by a worker.',
        labelNames: ['queue', 'state'],
      },
      countsAge: {
        name: 'talhouse_queue_counts_age_seconds',
        help: 'Age of the counts of jobs. It grows while no worker runs.',
        labelNames: ['queue'],
      },
      age: {
        name: 'talhouse_queue_head_age_seconds',
        help: 'Time for which the job at the head of the queue has been due. 0 if no job is due.',
        labelNames: ['queue'],
      },
      left: {
        name: 'talhouse_client_units_left',
        help: `Unspent units of a client in its current period, for the ${MAX_CLIENTS} clients with the highest usage.`,
        labelNames: ['client'],
      },
      used: {
        name: 'talhouse_client_units_used',
        help: `Units spent by a client in its current period, after refunds, for the ${MAX_CLIENTS} clients with the highest usage.`,
        labelNames: ['client'],
      },
    },
    async read() {
      const [queues, accounts] = await Promise.all([queue.stats(), readAccounts(db)])
      return {
        jobs: queues.flatMap(({ name, ready, deferred, active }) =>
          Object.entries({ ready, deferred, active }).map(([state, value]) => ({
            labels: { queue: name, state },
            value,
          })),
        ),
        countsAge: queues.map(({ name, countsAge }) => ({ labels: { queue: name }, value: countsAge })),
        age: queues.map(({ name, headAge }) => ({ labels: { queue: name }, value: headAge })),
        left: accounts.map(({ client_id: client, balance }) => ({ labels: { client }, value: balance })),
        used: accounts.map(({ client_id: client, used_this_period }) => ({
          labels: { client },
          value: used_this_period,
        })),
      }
    },
  })
}

const readAccounts = (db: Db) =>
  db
    .selectFrom('unit_account')
    .select(['client_id', 'balance', 'used_this_period'])
    .orderBy('used_this_period', 'desc')
    .orderBy('client_id')
    .limit(MAX_CLIENTS)
    .execute()
