import type { QueueDefinition } from '../lib/queue.ts'

/** Queue whose jobs each enrich one item of a task. */
export const ENRICH = 'enrich'
/**
 * Dead-letter queue. Items whose jobs arrive here have no attempts left and are marked failed, so that their tasks end.
 */
export const ENRICH_DEAD = 'enrich_dead'

/** A job's payload, which identifies the item to enrich. */
export interface ItemJob {
  client_id: string
  task_id: string
  item: number
  /** W3C trace context of the request that submitted the task, if the request was traced. */
  traceparent?: string
}

/** Maximum retries of a job, counting both lost workers and failures. */
const RETRIES = 12

/** Number of attempts with unavailable sources after which a company fails. Attempts by lost workers do not count. */
export const ATTEMPTS = 3

export const TASK_QUEUES: readonly QueueDefinition[] = [
  {
    name: ENRICH_DEAD,
    heartbeatSeconds: 10,
    expireInSeconds: 60,
    retryLimit: 1000,
    retryDelay: 1,
    retryDelayMax: 60,
  },
  {
    name: ENRICH,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    retryLimit: RETRIES,
    retryDelay: 1,
    // The delay is short, because a killed worker's job waits for the heartbeat timeout plus this delay, at most 17 s
    // in total.
    retryDelayMax: 3,
    deadLetter: ENRICH_DEAD,
  },
]
