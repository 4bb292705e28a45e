import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../helpers/eventually.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { submitCompanies } from '../../helpers/submissions.ts'
import { findsAs, startWorkerOn } from '../../helpers/work.ts'
import { startReceiver } from '../webhooks/receiver.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Delivery {
  id: string
  task_id: string
  status: string
  attempts: { status: number }[]
}

const deliveries = async (query: string) =>
  (await service.call<{ deliveries: Delivery[] }>('GET', `/v2/webhooks/deliveries${query}`)).body.deliveries

describe('webhook endpoints', () => {
  it('returns the webhook secret, and a different one after a rotation', async () => {
    const secret = async () => (await service.call('GET', '/v2/webhooks/secret')).body['secret']
    const first = await secret()
    expect(first).toMatch(/^whsec_/)
    expect(await secret()).toBe(first)
    const { body } = await service.call('POST', '/v2/webhooks/secret/rotate')
    expect(body['secret']).not.toBe(first)
    expect(await secret()).toBe(body['secret'])
  })

  it('lists webhook deliveries with attempts, filtered by task', async () => {
    await using receiver = await startReceiver()
    await using _worker = startWorkerOn(service, findsAs())
    const submit = () =>
      submitCompanies(service, service.client.client_id, ['hook.example'], { callbackUrl: receiver.url })
    const tasks = [await submit(), await submit()]
    const all = await eventually('both are delivered', async () => {
      const found = await deliveries('?limit=10')
      return found.length === 2 && found.every(({ status }) => status === 'delivered') && found
    })
    expect(new Set(all.map(({ task_id }) => task_id))).toEqual(new Set(tasks.map(({ task_id }) => task_id)))
    expect(all[0]).toMatchObject({ attempts: [{ status: 204, error: null }] })
    const [one, ...more] = await deliveries(`?task_id=${tasks[0]?.task_id}`)
    expect(one?.task_id).toBe(tasks[0]?.task_id)
    expect(more).toEqual([])
  })

  it('replays an ended webhook delivery and rejects unknown or pending deliveries', async () => {
    await using receiver = await startReceiver()
    const options = { callbackUrl: receiver.url }
    const { task_id } = await submitCompanies(service, service.client.client_id, ['again.example'], options)
    const ended = async () => (await deliveries(`?task_id=${task_id}`)).find(({ status }) => status === 'delivered')
    const replay = (id: string) => service.call('POST', `/v2/webhooks/deliveries/${id}/replay`)
    let id: string
    {
      await using _worker = startWorkerOn(service, findsAs())
      id = (await eventually('it is delivered', ended)).id
    }
    // No worker runs, so the delivery stays pending.
    expect(await replay(id)).toMatchObject({ status: 200, body: { id, status: 'pending' } })
    expect(await replay(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await replay('00000000-0000-4000-8000-000000000000')).status).toBe(404)
    await using _worker = startWorkerOn(service, findsAs())
    await eventually('it is delivered again', async () => receiver.received.length === 2)
  })
})
