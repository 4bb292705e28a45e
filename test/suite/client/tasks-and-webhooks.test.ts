import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../src/client/index.ts'
import { createClient, TimeoutError, verifyWebhook } from '../../../src/client/index.ts'
import { eventually } from '../../helpers/eventually.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { findsAs, startWorkerOn } from '../../helpers/work.ts'
import { startReceiver } from '../webhooks/receiver.ts'

let service: TestService
let talhouse: Client
beforeAll(async () => {
  service = await startService({ plan: { units_per_period: 100 } })
  talhouse = createClient({ baseUrl: service.url, apiKey: service.key })
})
afterAll(() => service[Symbol.asyncDispose]())

describe('waiting for a task', () => {
  it('reports the progress of a task while it waits, and returns the result', async () => {
    const { task_id } = await talhouse.enrich.batch({ domains: ['one.example', 'two.example'] })
    const seen: unknown[] = []
    const waiting = talhouse.tasks.wait(task_id, {
      interval: 20,
      onProgress: ({ status, progress }) => seen.push([status, progress]),
    })
    await eventually('the wait has begun', async () => seen.length === 1)
    await using _worker = startWorkerOn(service, findsAs())
    const task = await waiting
    expect(task).toMatchObject({ id: task_id, status: 'completed', progress: 1, output_data: expect.any(Object) })
    expect([seen[0], seen.at(-1)]).toEqual([
      ['queued', 0],
      ['completed', 1],
    ])
  })

  it('waiting for a task ends with a TimeoutError that states the progress, and can be aborted', async () => {
    const { task_id } = await talhouse.enrich.batch({ domains: ['three.example'] })
    const late = await talhouse.tasks.wait(task_id, { timeout: 30, interval: 10 }).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(TimeoutError)
    expect(late).toMatchObject({ message: `Task ${task_id} has not ended after 0.03 s; 0% is done.` })
    const stop = new AbortController()
    const waiting = talhouse.tasks.wait(task_id, {
      interval: 60_000,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    await expect(waiting).rejects.toThrow('aborted')
  })
})

describe('a webhook', () => {
  it("verifies a webhook with the client's old and new secrets after a rotation", async () => {
    await using receiver = await startReceiver()
    await using _worker = startWorkerOn(service, findsAs(), { schedule: [0, 0], timeLimit: 500 })
    const { secret: first } = await talhouse.webhooks.secret()
    const { secret: second } = await talhouse.webhooks.rotateSecret()
    const { task_id } = await talhouse.enrich.leadership({ domains: ['hook.example'], callback_url: receiver.url })
    await talhouse.tasks.wait(task_id, { interval: 20 })
    const { headers, body } = await eventually('the webhook arrives', async () => receiver.received[0])
    for (const secret of [first, second])
      expect(await verifyWebhook(body, headers, secret)).toMatchObject({
        type: 'task.completed',
        data: { task_id, status: 'completed' },
      })
    const [delivery] = (await talhouse.webhooks.deliveries({ task_id })).deliveries
    expect(delivery?.id).toBe(headers['webhook-id'])
  })
})

it('charges a paid call once even if it is retried', async () => {
  let isLost = true
  const unlucky = createClient({
    baseUrl: service.url,
    apiKey: service.key,
    retry: { minDelay: 1, maxDelay: 2 },
    fetch: async (url, request) => {
      const response = await fetch(url, request)
      if (!isLost) return response
      isLost = false
      throw new Error('the response was lost')
    },
  })
  const before = (await talhouse.usage()).units_remaining
  const { units_charged } = await unlucky.enrich.company({ domain: 'lost.example' })
  expect([units_charged, before - (await talhouse.usage()).units_remaining]).toEqual([1, 1])
})
