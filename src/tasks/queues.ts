import type { QueueDefinition } from '../lib/queue.ts'

/** Carries out one item of a task. */
export const ENRICH = 'enrich'
/** Items whose attempts are used up, however they ended: they are closed as failed, so that no task waits for ever. */
export const ENRICH_DEAD = 'enrich_dead'

/** Which item a job carries out. */
export interface ItemJob {
  client_id: string
  task_id: string
  item: number
}

/** Attempts beyond the first. A company that fails by itself is tried three times (`ATTEMPTS`); the rest is for lost workers. */
const RETRIES = 12

/** Attempts at a company whose sources do not answer, before it has failed. */
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
    // Short, because a killed worker's job waits for it too, after its heartbeat: with the look for silent workers, 17 seconds at the most.
    retryDelayMax: 3,
    deadLetter: ENRICH_DEAD,
  },
]
