import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../../src/db/database.ts'
import type { Queue } from '../../src/lib/queue.ts'
import { eventually } from '../helpers/eventually.ts'
import { submitCompanies } from '../helpers/submissions.ts'
import { startReceiver } from '../suite/webhooks/receiver.ts'
import type { WorkRecord } from './work-record.ts'
import { readWorkRecord } from './work-record.ts'
import type { WorkerProcess } from './worker-process.ts'
import { startWorkerProcess } from './worker-process.ts'

export interface KillOptions {
  db: Db
  queue: Queue
  url: string
  clientId: string
  domains: number
  tasks: number
  workers: number
  kills: number
  seed: number
  /** Minimum and maximum response time of the source, in milliseconds. */
  think: [number, number]
  /** Number of companies that a worker enriches concurrently. */
  concurrency: number
  log?: (line: string) => void
}

export interface KillResult extends WorkRecord {
  kills: number
  seconds: number
  /** Seconds from a kill until another worker retries an interrupted company: count, median, maximum. */
  pickUp: { companies: number; median: number; longest: number }
}

/**
 * Submits companies, kills workers at random moments until the given number of kills is reached, and waits for
 * completion.
 */
export async function killWorkers(options: KillOptions): Promise<KillResult> {
  const { db, url, clientId, log = () => {} } = options
  let state = options.seed
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const started = performance.now()
  const [from, to] = options.think
  await using answers = await startSlowAnswers(() => from + random() * (to - from))
  await using receiver = await startReceiver()
  const perTask = options.domains / options.tasks
  for (let task = 0; task < options.tasks; task += 1) {
    const domains = Array.from({ length: perTask }, (_, index) => `chaos-${task}-${index}.example`)
    await submitCompanies(options, clientId, domains, { callbackUrl: receiver.url })
  }
  const workers: WorkerProcess[] = []
  try {
    const start = (index: number) => startWorkerProcess(url, `${answers.url}/${index}`, options)
    workers.push(...(await Promise.all(Array.from({ length: options.workers }, (_, index) => start(index)))))
    for (let kill = 0; kill < options.kills; kill += 1) {
      await wait(200 + random() * 1200)
      // The first kill waits for a running enrichment, because workers may start slowly.
      const [busy] =
        kill === 0 ? await eventually('a worker enriches a company', async () => answers.busyWorkers()) : []
      const victim = busy ?? Math.floor(random() * workers.length)
      await (workers[victim] as WorkerProcess).kill()
      workers[victim] = await start(victim)
      if ((kill + 1) % 10 === 0) log(`${kill + 1} of ${options.kills} killed`)
    }
    await eventually(
      'every task ends, and every notification arrives',
      async () => {
        const open = await db
          .selectFrom('task')
          .select('task_id')
          .where('client_id', '=', clientId)
          .where('completed_at', 'is', null)
          .executeTakeFirst()
        const pending = await db
          .selectFrom('webhook_delivery')
          .select('delivery_id')
          .where('client_id', '=', clientId)
          .where('state', '=', 'pending')
          .executeTakeFirst()
        return !open && !pending
      },
      240,
    )
  } finally {
    await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()))
  }
  const waits = answers.pickUps().toSorted((a, b) => a - b)
  return {
    ...(await readWorkRecord(db, clientId)),
    kills: options.kills,
    seconds: (performance.now() - started) / 1000,
    pickUp: { companies: waits.length, median: waits[waits.length >> 1] ?? 0, longest: waits.at(-1) ?? 0 },
  }
}

/**
 * Starts a source that delays its responses, so that kills interrupt running work. Request paths are `/WORKER/DOMAIN`.
 * A connection that closes during the delay belongs to a worker that died while enriching this company.
 */
async function startSlowAnswers(thinkFor: () => number) {
  const lostAt = new Map<string, number>()
  const pickUps: number[] = []
  const pending = new Set<{ worker: number }>()
  const server = createServer((request, reply) => {
    const [, worker = '', domain = ''] = request.url?.split('/') ?? []
    const enrichment = { worker: Number(worker) }
    pending.add(enrichment)
    const lost = lostAt.get(domain)
    if (lost !== undefined) pickUps.push((performance.now() - lost) / 1000)
    lostAt.delete(domain)
    let answered = false
    reply.on('close', () => {
      pending.delete(enrichment)
      if (!answered) lostAt.set(domain, performance.now())
    })
    setTimeout(() => {
      answered = true
      reply.end(JSON.stringify({ name: `The ${domain} company` }))
    }, thinkFor())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pickUps: () => pickUps,
    /** Workers with a pending request; undefined if there are none. */
    busyWorkers: () => (pending.size > 0 ? [...pending].map(({ worker }) => worker) : undefined),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
