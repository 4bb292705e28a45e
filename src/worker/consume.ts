import PQueue from 'p-queue'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import type { JobAttempt, Queue } from '../lib/queue.ts'

export interface Consumer<Data> {
  queue: Queue
  name: string
  /** Jobs at work at once, in this process. */
  concurrency: number
  /**
   * Carries out one attempt, and completes the job in its own transaction. When it throws, the job is given back for another attempt. Its
   * signal aborts when the attempt is lost, and when the process has to stop before the job could end.
   */
  handle: (job: JobAttempt<Data>, signal: AbortSignal) => Promise<void>
  /** Seconds a worker may be silent before its job is given to another, as the queue is defined. */
  heartbeatSeconds: number
  log: Log
  /** Stops taking jobs; those at work may end until `graceSeconds` have passed. */
  signal: AbortSignal
  /** @default 20 */
  graceSeconds?: number
}

/** Milliseconds between looks into an idle queue: what a lost hint, and a job given back, wait at the most. */
const POLL_INTERVAL_MS = 500

/**
 * Takes jobs and carries them out until the signal aborts, then lets what is at work end. Never throws for a database that is away: it
 * waits and looks again.
 */
export async function consume<Data>(consumer: Consumer<Data>): Promise<void> {
  const { queue, name, concurrency, signal, log, graceSeconds = 20 } = consumer
  const running = new PQueue({ concurrency })
  const deadline = new AbortController()
  let change = Promise.withResolvers<void>()
  const awake = () => {
    change.resolve()
    change = Promise.withResolvers()
  }
  running.addEventListener('next', awake)
  signal.addEventListener('abort', awake, { once: true })
  await using _listener = await queue.listen(name, awake)

  while (!signal.aborted) {
    const changed = change.promise
    const free = concurrency - running.size - running.pending
    const jobs = free > 0 ? await claim<Data>(consumer, free) : []
    for (const job of jobs) void running.add(() => attempt(consumer, job, deadline.signal))
    // Either every place is taken or the queue is empty: nothing to do until one of both changes.
    await waitFor(changed, POLL_INTERVAL_MS)
  }

  const timer = setTimeout(() => deadline.abort(new Error('the worker is stopping')), graceSeconds * 1000)
  if (running.pending > 0) log.info({ queue: name, jobs: running.pending }, 'letting jobs end')
  await running.onIdle()
  clearTimeout(timer)
}

async function claim<Data>({ queue, name, log }: Consumer<Data>, count: number): Promise<JobAttempt<Data>[]> {
  return await queue.claim<Data>(name, count).catch((error: unknown) => {
    log.warn({ queue: name, err: messageOf(error) }, 'the queue does not answer')
    return []
  })
}

async function attempt<Data>(consumer: Consumer<Data>, job: JobAttempt<Data>, stop: AbortSignal): Promise<void> {
  const { queue, name, log } = consumer
  const lost = new AbortController()
  const signal = AbortSignal.any([stop, lost.signal])
  const pulse = setInterval(
    () => {
      queue.heartbeat(name, job as JobAttempt).then(
        (alive) => alive || lost.abort(new Error('the attempt was lost')),
        // The database is away: whether the attempt is lost will show when the job is completed.
        (error: unknown) => log.debug({ queue: name, err: messageOf(error) }, 'a heartbeat was lost'),
      )
    },
    (consumer.heartbeatSeconds * 1000) / 4,
  )
  try {
    await consumer.handle(job, signal)
  } catch (error) {
    const reason = messageOf(error)
    log.debug({ queue: name, job: job.id, reason }, 'an attempt failed')
    await queue.fail(name, job as JobAttempt, reason).catch((failure: unknown) => {
      // Its silence will tell: the job is given to another when the heartbeat is overdue.
      log.warn({ queue: name, job: job.id, err: messageOf(failure) }, 'a job could not be given back')
    })
  } finally {
    clearInterval(pulse)
  }
}

async function waitFor(change: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([change, timeout])
  clearTimeout(timer)
}
