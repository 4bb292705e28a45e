import PQueue from 'p-queue'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import type { JobAttempt, Queue } from '../lib/queue.ts'

export interface Consumer<Data> {
  queue: Queue
  name: string
  /** Maximum concurrent jobs in this process. */
  concurrency: number
  /**
   * Runs one attempt and completes the job in its transaction. If it throws, the job is retried. The signal is aborted
   * if the attempt is lost or the shutdown deadline passes.
   */
  handle: (job: JobAttempt<Data>, signal: AbortSignal) => Promise<void>
  /** Seconds without a heartbeat after which a job is reassigned. */
  heartbeatSeconds: number
  log: Log
  /** Stops claiming jobs. Running jobs may finish within `graceSeconds`. */
  signal: AbortSignal
  /** @default 20 */
  graceSeconds?: number
}

/** Thrown when an attempt ends without an error but should be repeated later. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain'
}

/** Polling interval for an idle queue, needed for missed notifications and retried jobs. */
const POLL_INTERVAL_MS = 500

/** Claims and runs jobs until the signal is aborted, then waits for running jobs. Logs and retries database outages. */
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
    // All slots are in use or the queue is empty, so wait for a change.
    await waitFor(changed, POLL_INTERVAL_MS)
  }

  const timer = setTimeout(() => deadline.abort(new Error('the worker is shutting down')), graceSeconds * 1000)
  if (running.pending > 0) log.info({ queue: name, jobs: running.pending }, 'waiting for running jobs')
  await running.onIdle()
  clearTimeout(timer)
}

async function claim<Data>({ queue, name, log }: Consumer<Data>, count: number): Promise<JobAttempt<Data>[]> {
  return await queue.claim<Data>(name, count).catch((error: unknown) => {
    log.warn({ queue: name, err: messageOf(error) }, 'claiming jobs failed')
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
        // The error is only logged, because completing the job detects a lost attempt.
        (error: unknown) => log.debug({ queue: name, err: messageOf(error) }, 'heartbeat failed'),
      )
    },
    (consumer.heartbeatSeconds * 1000) / 4,
  )
  try {
    await consumer.handle(job, signal)
  } catch (error) {
    const reason = messageOf(error)
    const level = error instanceof TryAgain ? 'debug' : 'warn'
    log[level]({ queue: name, job: job.id, reason }, 'attempt failed')
    await queue.fail(name, job as JobAttempt, reason).catch((failure: unknown) => {
      // The job is reassigned once its heartbeat is overdue.
      log.warn({ queue: name, job: job.id, err: messageOf(failure) }, 'releasing a job failed')
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
