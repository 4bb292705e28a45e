import type { Kysely } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { messageOf } from './errors.ts'
import type { Log } from './logger.ts'
import { asPrepared } from './prepared-statements.ts'

export interface QueueDefinition {
  name: string
  /** A worker that is silent for this long has lost its job. Minimum: 10. */
  heartbeatSeconds: number
  /** An attempt that takes longer is given up. */
  expireInSeconds: number
  /** Attempts beyond the first, lost ones included. */
  retryLimit: number
  /** Seconds before the second attempt; doubled for each further one, with jitter. */
  retryDelay: number
  retryDelayMax: number
  /** Where a job goes when its attempts are used up. */
  deadLetter?: string
}

export interface NewJob {
  data: object
  /** Seconds from now, or an ISO timestamp. Absent: at once. */
  startAfter?: number | string
}

/** One attempt at a job: it may only be completed as the attempt that was fetched. */
export interface JobAttempt<Data = object> {
  id: string
  retryCount: number
  data: Data
}

/**
 * A queue in PostgreSQL (pg-boss): jobs are enqueued and completed in the caller's own transaction, and a job whose worker went silent
 * is given to another.
 */
export interface Queue extends AsyncDisposable {
  /** Enqueues in the caller's transaction: the jobs are there when, and only when, it commits. */
  // biome-ignore lint/suspicious/noExplicitAny: any database will do; a queue knows no tables
  enqueue(trx: Kysely<any>, name: string, jobs: readonly NewJob[]): Promise<void>
  /** Claims up to `count` jobs that are due. */
  claim<Data>(name: string, count: number): Promise<JobAttempt<Data>[]>
  /** Completes in the caller's transaction. False: the attempt was lost, the job is or was another worker's. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  complete(trx: Kysely<any>, name: string, job: JobAttempt): Promise<boolean>
  /** Gives a job back, to be tried again after its delay, or moved to the dead letters when its attempts are used up. */
  fail(name: string, job: JobAttempt, reason: string): Promise<void>
  /** Tells that the attempt is alive. False: it was lost. */
  heartbeat(name: string, job: JobAttempt): Promise<boolean>
  /** Tells idle workers, in all processes, that there may be work in a queue. A hint: a lost one costs a polling interval. */
  wake(name: string): void
  /** Calls back at each hint about a queue, and after each reconnection. */
  listen(name: string, wakened: () => void): Promise<AsyncDisposable>
  /** Jobs that wait and jobs at work, by queue. */
  depths(): Promise<{ name: string; waiting: number; active: number }[]>
}

export interface QueueOptions {
  log: Log
  queues: readonly QueueDefinition[]
  /** Look for silent workers and expired jobs. At least one process must. */
  supervise: boolean
  /** Connections at the most. @default 4 */
  connections?: number
}

const SCHEMA = 'pgboss'
const CHANNEL = 'talhouse_work'
/** Seconds between looks for silent workers: with the heartbeat, this bounds how long a killed worker's job rests. */
const SUPERVISE_SECONDS = 3
/** Of all processes that look, one does so within this many seconds: shorter than the above, or a look that comes early would be skipped. */
const MONITOR_SECONDS = 2
/** Hints within this many milliseconds are one. */
const WAKE_DELAY_MS = 5

/** Opens the queue of the database at `url`, making or updating its tables. Its connections are its own. */
export async function openQueue(url: string, options: QueueOptions): Promise<Queue> {
  const { log, queues } = options
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'talhouse queue',
    max: options.connections ?? 4,
    supervise: options.supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: messageOf(error) }, 'the queue met an error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the queue warns'))
  await boss.start()
  for (const queue of queues) await ensureQueue(boss, queue)
  const waker = createWaker(boss, log)
  const attemptOf = ({ id, retryCount }: JobAttempt) => ({ id, retryCount })

  return {
    async enqueue(trx, name, jobs) {
      if (jobs.length === 0) return
      const inserts = jobs.map(({ data, startAfter }) => (startAfter === undefined ? { data } : { data, startAfter }))
      await boss.insert(name, inserts, { db: within(trx) })
    },
    async claim<Data>(name: string, count: number) {
      const jobs = await boss.fetch<Data>(name, { batchSize: count })
      return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, data }))
    },
    async complete(trx, name, job) {
      const reply = await boss.complete(name, attemptOf(job), null, { db: within(trx) })
      return affectedJobs(reply) === 1
    },
    async fail(name, job, reason) {
      await boss.fail(name, attemptOf(job), { reason })
    },
    async heartbeat(name, job) {
      const reply = await boss.touch(name, attemptOf(job))
      return affectedJobs(reply) === 1
    },
    wake: waker.wake,
    async listen(name, wakened) {
      const heard = (about: string) => about === name && wakened()
      const handle = await boss.getDb().listen?.(CHANNEL, heard, wakened)
      return { [Symbol.asyncDispose]: async () => void (await handle?.close()) }
    },
    async depths() {
      const { rows } = await boss.getDb().executeSql(
        `select name, count(*) filter (where state in ('created', 'retry'))::int as waiting,
           count(*) filter (where state = 'active')::int as active
         from ${SCHEMA}.job where state in ('created', 'retry', 'active') group by name order by name`,
      )
      return rows as { name: string; waiting: number; active: number }[]
    },
    async [Symbol.asyncDispose]() {
      await waker[Symbol.asyncDispose]()
      await boss.stop({ graceful: false, close: true })
    },
  }
}

async function ensureQueue(boss: PgBoss, { name, ...settings }: QueueDefinition): Promise<void> {
  const options = { ...settings, retryBackoff: true, deleteAfterSeconds: 86_400 }
  await boss.createQueue(name, options)
  await boss.updateQueue(name, options)
}

/**
 * Many commits in one tick are one hint. It is sent after the commit and beside it, because a `notify` inside a transaction
 * makes all commits of the server wait for each other.
 */
function createWaker(boss: PgBoss, log: Log): AsyncDisposable & { wake(name: string): void } {
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<unknown> = Promise.resolve()
  const names = new Set<string>()
  const send = () => {
    timer = undefined
    const about = [...names]
    names.clear()
    sending = boss
      .getDb()
      .executeSql(`select pg_notify('${CHANNEL}', name) from unnest($1::text[]) as name`, [about])
      .catch((error: unknown) => log.debug({ err: messageOf(error) }, 'a hint to the workers was lost'))
  }
  return {
    wake(name) {
      names.add(name)
      timer ??= setTimeout(send, WAKE_DELAY_MS)
    },
    async [Symbol.asyncDispose]() {
      if (timer) {
        clearTimeout(timer)
        send()
      }
      await sending
    },
  }
}

/** Lets pg-boss work in a transaction of ours. Its statements are long, and the same every time. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function within(trx: Kysely<any>): ReturnType<typeof fromKysely> {
  const inner = fromKysely(trx)
  return { executeSql: (text, values) => inner.executeSql(asPrepared(text), values) }
}

/** pg-boss tells how many jobs a command moved, and leaves it out of its types. */
function affectedJobs(reply: object): number {
  return 'affected' in reply && typeof reply.affected === 'number' ? reply.affected : 0
}
