import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTask } from '../../../src/tasks/read-task.ts'
import { killWorkers } from '../../chaos/kill-workers.ts'
import { wakeZombies } from '../../chaos/wake-zombies.ts'
import { readWorkRecord } from '../../chaos/work-record.ts'
import { startWorkerProcess } from '../../chaos/worker-process.ts'
import { startAnswerServer } from '../../helpers/answer-server.ts'
import { givenClient } from '../../helpers/clients.ts'
import { eventually } from '../../helpers/eventually.ts'
import { submitCompanies } from '../../helpers/submissions.ts'
import type { Workshop } from '../../helpers/work.ts'
import { openWorkshop } from '../../helpers/work.ts'

/** The tests run concurrently, because each test waits for heartbeats to expire. */
describe.concurrent('workers', () => {
  it('workers that are killed at random neither lose nor repeat work, because another worker takes over', async () => {
    await using shop = await openWorkshop()
    const clientId = await givenClient(shop.db)
    const load = { domains: 24, tasks: 4, workers: 2, kills: 3, seed: 7, concurrency: 4 }
    const result = await killWorkers({ ...shop, clientId, ...load, think: [1000, 3000] })
    expect(result).toMatchObject({
      tasks: 4,
      unfinished: 0,
      doubledEvents: 0,
      wrongDeliveries: 0,
      discrepancies: 0,
      outcomes: { complete: 24 },
    })
    expect(result.lostAttempts).toBeGreaterThan(0)
  })

  it('workers that were paused and resumed cannot end items that another worker has ended', async () => {
    await using shop = await openWorkshop()
    const clientId = await givenClient(shop.db)
    expect(await wakeZombies({ ...shop, clientId, zombies: 4 })).toMatchObject({
      unfinished: 0,
      doubledEvents: 0,
      wrongDeliveries: 0,
      discrepancies: 0,
      staleRefused: 4,
      namedBySecond: 4,
      webhooks: 4,
      webhookIds: 4,
      processExits: 0,
    })
  })

  it('workers and submitters survive repeated loss of all connections without losing a task', async () => {
    await using shop = await openWorkshop()
    const clientId = await givenClient(shop.db)
    await using answers = await startAnswerServer()
    await using worker = await startWorkerProcess(shop.url, answers.url)
    let accepted = 0
    for (let round = 0; round < 8; round += 1) {
      for (let task = 0; task < 5; task += 1)
        await submitCompanies(shop, clientId, [`cut-${round}-${task}.example`]).then(
          () => {
            accepted += 1
          },
          () => undefined, // the connection was closed, so the task was not confirmed and may be missing
        )
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
        .execute(shop.db)
        .catch(() => undefined)
      await wait(250)
    }
    await eventually(
      'every accepted task ends',
      async () => {
        const record = await readWorkRecord(shop.db, clientId).catch(() => undefined)
        return record && record.unfinished === 0 && record.tasks >= accepted
      },
      90,
    )
    expect(worker.exited()).toBe(false)
    expect(accepted).toBeGreaterThan(0)
    expect(await readWorkRecord(shop.db, clientId)).toMatchObject({ doubledEvents: 0, discrepancies: 0 })
  })
})

describe('a worker on shutdown', () => {
  let shop: Workshop
  beforeAll(async () => {
    shop = await openWorkshop()
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  it('a worker on shutdown stops claiming jobs and finishes jobs in progress', async () => {
    const clientId = await givenClient(shop.db)
    await using gate = await startGate()
    const worker = await startWorkerProcess(shop.url, gate.url, { concurrency: 1 })
    const { task_id } = await submitCompanies(shop, clientId, ['last.example', 'never.example'])
    await eventually('it has one', async () => gate.waiting() === 1)
    worker.child.kill('SIGTERM')
    await wait(500)
    gate.answerLast('The last')
    await worker[Symbol.asyncDispose]()
    expect(worker.child.exitCode).toBe(0)
    expect(await readTask(shop.db, clientId, task_id)).toMatchObject({ progress: 0.5 })
  })
})

/** Starts a source that responds on request. */
async function startGate() {
  const open: ServerResponse[] = []
  const server = createServer((_, reply) => void open.push(reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => open.length,
    /** Responds to the newest pending request. */
    answerLast: (name: string) => open.pop()?.end(JSON.stringify({ name })),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
