import type { QueueDefinition } from '../lib/queue.ts'

/** Enriches one item of a task. */
export const ENRICH = 'enrich'
/** Dead-letter queue: items without attempts left are failed, so that their tasks end. */
export const ENRICH_DEAD = 'enrich_dead'

/** The item of a job. */
export interface ItemJob {
  client_id: string
  task_id: string
  item: number
}

/** Retries after the first attempt. A failing company is tried 3 times (`ATTEMPTS`); the rest is for lost workers. */
const RETRIES = 12

/** Attempts before a company with unavailable sources fails. */
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
    // Short, because a killed worker's job waits for it after the missed heartbeat: at most 17 s in total.
    retryDelayMax: 3,
    deadLetter: ENRICH_DEAD,
  },
]
