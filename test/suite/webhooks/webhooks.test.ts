import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { JobAttempt } from '../../../src/lib/queue.ts'
import { unfinishedJobs } from '../../../src/lib/queue.ts'
import { retryAfterSeconds } from '../../../src/lib/retry-after.ts'
import { deliverWebhook } from '../../../src/webhooks/deliver.ts'
import { listDeliveries, pruneDeliveries, replayDelivery } from '../../../src/webhooks/deliveries.ts'
import type { DeliveryJob } from '../../../src/webhooks/enqueue.ts'
import { enqueueNotification, WEBHOOK } from '../../../src/webhooks/enqueue.ts'
import { openReceivers } from '../../../src/webhooks/receivers.ts'
import { delayAfter, SCHEDULE } from '../../../src/webhooks/schedule.ts'
import { currentSecret, rotateSecret } from '../../../src/webhooks/secrets.ts'
import { givenClient, TEST_ACTOR } from '../../helpers/clients.ts'
import { eventually } from '../../helpers/eventually.ts'
import { submitCompanies } from '../../helpers/submissions.ts'
import { WEBHOOK_KEYS } from '../../helpers/webhook-keys.ts'
import type { Workshop } from '../../helpers/work.ts'
import { findsAs, openWorkshop } from '../../helpers/work.ts'
import type { Received } from './receiver.ts'
import { startReceiver } from './receiver.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await openWorkshop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const AT_ONCE = SCHEDULE.map(() => 0)
const options = { schedule: AT_ONCE, timeLimit: 500 }

const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

async function endedDelivery(client: string) {
  return await eventually('the delivery ends', async () => {
    const [delivery] = await listDeliveries(shop.db, client, { limit: 1 })
    return delivery?.ended_at ? delivery : undefined
  })
}

/** Submits a task with this callback URL and returns its client. */
async function notify(url: string): Promise<string> {
  const client = await givenClient(shop.db)
  await submitCompanies(shop, client, ['hook.example'], { callbackUrl: url })
  return client
}

describe('a notification', () => {
  it('a notification has a small payload, signed so that the Standard Webhooks library accepts it', async () => {
    await using receiver = await startReceiver()
    await using _worker = shop.startWorker(findsAs(), options)
    const client = await givenClient(shop.db)
    const { task_id } = await submitCompanies(shop, client, ['hook.example'], { callbackUrl: receiver.url })
    const delivery = await endedDelivery(client)
    expect(delivery).toMatchObject({ state: 'delivered', log: [{ status: 204, error: null }] })
    const [received] = receiver.received
    expect(received!.headers['webhook-id']).toBe(delivery.delivery_id)
    expect(verify(await currentSecret(shop.db, client, WEBHOOK_KEYS, TEST_ACTOR), received!)).toEqual({
      type: 'task.completed',
      timestamp: expect.any(String),
      data: { task_id, task_type: 'enrich_batch', status: 'completed' },
    })
    const tampered = { ...received!, body: received!.body.replace('completed', 'failed') }
    const secret = await currentSecret(shop.db, client, WEBHOOK_KEYS, TEST_ACTOR)
    expect(() => verify(secret, tampered)).toThrow()
  })

  it('sends a notification for failed tasks and tasks without work, and never without a callback_url', async () => {
    await using receiver = await startReceiver()
    await using _worker = shop.startWorker(findsAs({ 'hook.example': { outcome: 'failed', reason: 'x' } }), options)
    const failed = await notify(receiver.url)
    await endedDelivery(failed)
    const nothing = await givenClient(shop.db)
    await submitCompanies(shop, nothing, [], { callbackUrl: receiver.url })
    await endedDelivery(nothing)
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['task.failed', 'task.completed'])
    const silent = await givenClient(shop.db)
    await submitCompanies(shop, silent, [])
    expect(await listDeliveries(shop.db, silent, { limit: 1 })).toEqual([])
  })

  it('a notification verifies with both secrets for a day after a rotation, then only with the new secret', async () => {
    await using receiver = await startReceiver()
    await using _worker = shop.startWorker(findsAs(), options)
    const client = await givenClient(shop.db)
    const old = await currentSecret(shop.db, client, WEBHOOK_KEYS, TEST_ACTOR)
    const fresh = await rotateSecret(shop.db, client, WEBHOOK_KEYS)
    expect(fresh).not.toBe(old)
    const send = async () => {
      await submitCompanies(shop, client, ['hook.example'], { callbackUrl: receiver.url })
      const before = receiver.received.length
      await eventually('it arrives', async () => receiver.received.length > before)
      return receiver.received.at(-1)!
    }
    const during = await send()
    verify(old, during)
    verify(fresh, during)
    await sql`
      update webhook_secret set expires_at = now() - interval '1 second'
      where client_id = ${client} and expires_at is not null`.execute(shop.db)
    const after = await send()
    verify(fresh, after)
    expect(() => verify(old, after)).toThrow()
  })

  it('retries a notification with the same id until it is accepted', async () => {
    await using receiver = await startReceiver((reply, _, count) => reply.writeHead(count < 4 ? 500 : 200).end())
    await using _worker = shop.startWorker(findsAs(), options)
    const delivery = await endedDelivery(await notify(receiver.url))
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 4 })
    expect(delivery.log.map(({ status }) => status)).toEqual([200, 500, 500, 500])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('a notification fails after ten attempts, and can be replayed with the same id', async () => {
    let up = false
    await using receiver = await startReceiver((reply) => reply.writeHead(up ? 200 : 503).end())
    await using _worker = shop.startWorker(findsAs(), options)
    const client = await notify(receiver.url)
    const delivery = await endedDelivery(client)
    expect(delivery).toMatchObject({ state: 'failed', attempts: 10 })
    up = true
    await replayDelivery(shop.db, shop.queue, client, delivery.delivery_id)
    expect(await endedDelivery(client)).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(delivery.delivery_id)
    await expect(
      replayDelivery(shop.db, shop.queue, await givenClient(shop.db), delivery.delivery_id),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a notification does not follow a redirect', async () => {
    await using elsewhere = await startReceiver()
    await using receiver = await startReceiver((reply) => reply.writeHead(307, { location: elsewhere.url }).end())
    await using _worker = shop.startWorker(findsAs(), options)
    const delivery = await endedDelivery(await notify(receiver.url))
    expect(delivery.log[0]).toMatchObject({ status: 307, error: expect.stringContaining('not followed') })
    expect(elsewhere.connections()).toBe(0)
  })

  it('sends no notification to a URL that responded with 410 until a delivery is replayed', async () => {
    let gone = true
    await using receiver = await startReceiver((reply) => reply.writeHead(gone ? 410 : 200).end())
    await using _worker = shop.startWorker(findsAs(), options)
    const client = await notify(receiver.url)
    const first = await endedDelivery(client)
    expect(first).toMatchObject({ state: 'disabled', attempts: 1 })
    await submitCompanies(shop, client, ['again.example'], { callbackUrl: receiver.url })
    await eventually('the second is disabled', async () => {
      const all = await listDeliveries(shop.db, client, { limit: 5 })
      return all.length === 2 && all.every(({ state }) => state === 'disabled')
    })
    expect(receiver.received).toHaveLength(1)
    gone = false
    await replayDelivery(shop.db, shop.queue, client, first.delivery_id)
    await eventually('the replay arrives', async () => receiver.received.length === 2)
  })

  it('a notification that is waiting for an attempt ends when its URL responds with 410', async () => {
    let gone = false
    await using receiver = await startReceiver((reply) => reply.writeHead(gone ? 410 : 503).end())
    await using _worker = shop.startWorker(findsAs(), { ...options, schedule: [0, 3600] })
    const client = await notify(receiver.url)
    await eventually('the first waits', async () => {
      const [waiting] = await listDeliveries(shop.db, client, { limit: 1 })
      return waiting?.state === 'pending' && waiting.attempts === 1
    })
    gone = true
    await submitCompanies(shop, client, ['again.example'], { callbackUrl: receiver.url })
    const all = await eventually('both are disabled', async () => {
      const deliveries = await listDeliveries(shop.db, client, { limit: 5 })
      return deliveries.length === 2 && deliveries.every(({ state }) => state === 'disabled') ? deliveries : undefined
    })
    expect(all.every(({ next_attempt_at, ended_at }) => next_attempt_at === null && ended_at !== null)).toBe(true)
    expect(receiver.received).toHaveLength(2)
  })

  it('a notification fails visibly while the key that sealed its secret is missing', async () => {
    await using receiver = await startReceiver()
    const client = await givenClient(shop.db)
    await currentSecret(shop.db, client, [randomBytes(32)], TEST_ACTOR)
    await using _worker = shop.startWorker(findsAs(), options)
    await submitCompanies(shop, client, ['hook.example'], { callbackUrl: receiver.url })
    const delivery = await endedDelivery(client)
    expect(delivery).toMatchObject({ state: 'failed', attempts: 10 })
    expect(delivery.log[0]).toMatchObject({ status: null, error: expect.stringContaining('cannot sign') })
    expect(receiver.received).toHaveLength(0)
  })

  it('a worker that lost the attempt while sending a notification neither records nor reschedules it', async () => {
    await using own = await openWorkshop()
    await using receivers = openReceivers({ allowHttp: true, allowPrivate: true, ports: [] })
    const { db, queue } = own
    const clientId = await givenClient(db)
    let job: JobAttempt<DeliveryJob> | undefined
    await using receiver = await startReceiver(async (reply) => {
      await queue.fail(WEBHOOK, job as JobAttempt, 'missed its heartbeat')
      reply.writeHead(503).end()
    })
    const notification = { clientId, taskId: randomUUID(), taskType: 'enrich_batch', status: 'completed' }
    await db.transaction().execute((trx) => enqueueNotification(trx, queue, { ...notification, url: receiver.url }))
    job = (await queue.claim<DeliveryJob>(WEBHOOK, 1))[0] as JobAttempt<DeliveryJob>
    const deps = { db, queue, log: silentLog, clock: systemClock, receivers, webhookKeys: WEBHOOK_KEYS }
    await deliverWebhook(deps, job, new AbortController().signal)
    expect(receiver.received).toHaveLength(1)
    expect(await listDeliveries(db, clientId, { limit: 5 })).toMatchObject([{ state: 'pending', attempts: 0, log: [] }])
    const { rows } = await sql`select data from ${unfinishedJobs([WEBHOOK])} as job`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('a notification times out on slow headers and bodies, and reads a limited part of the body', async () => {
    let written = 0
    await using receiver = await startReceiver((reply, _, count) => {
      if (count === 1) return // never answers
      reply.writeHead(200)
      const more = () => {
        while (!reply.destroyed && written < 50_000_000) {
          written += 65_536
          if (!reply.write('x'.repeat(65_536))) return void reply.once('drain', more)
        }
      }
      more()
    })
    await using _worker = shop.startWorker(findsAs(), options)
    const delivery = await endedDelivery(await notify(receiver.url))
    expect(delivery.log.at(-1)).toMatchObject({ status: null, error: expect.stringMatching(/no response within/) })
    expect(delivery.log[0]).toMatchObject({ status: 200 })
    expect(written).toBeLessThan(50_000_000)
  })
})

describe('an old delivery', () => {
  it('deletes an old delivery with its attempts after it has ended, but never while it is pending', async () => {
    const client = await givenClient(shop.db)
    const add = (state: string, ended: string | null) =>
      sql`
      insert into webhook_delivery (client_id, delivery_id, task_id, url, payload, state, next_attempt_at, created_at, ended_at)
      values (${client}, gen_random_uuid(), gen_random_uuid(), 'https://a.example', '{}', ${state},
        case when ${state} = 'pending' then now() + interval '1 day' end, now() - interval '200 days', ${ended}::timestamptz)`.execute(
        shop.db,
      )
    await add('delivered', '2020-01-01T00:00:00Z')
    await add('failed', new Date().toISOString())
    await add('pending', null)
    expect(await pruneDeliveries(shop.db, 90)).toBe(1)
    const left = await listDeliveries(shop.db, client, { limit: 10 })
    expect(left.map(({ state }) => state).toSorted()).toEqual(['failed', 'pending'])
  })
})

describe('under 30 % faults', () => {
  it('each ended task sends a notification with exactly one webhook-id when 30 % of the requests fail', async () => {
    // The generator is seeded, so that failures are reproducible.
    let seed = 20_261_121
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    await using receiver = await startReceiver((reply) => {
      const fate = random()
      if (fate < 0.1) reply.socket?.destroy()
      else if (fate < 0.2) reply.writeHead(500).end()
      else if (fate < 0.3) setTimeout(() => reply.writeHead(200).end(), 700)
      else reply.writeHead(200).end()
    })
    await using _worker = shop.startWorker(findsAs(), { ...options, concurrency: 10 })
    const client = await givenClient(shop.db)
    const tasks = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        submitCompanies(shop, client, [`fault-${index}.example`], { callbackUrl: receiver.url }),
      ),
    )
    const deliveries = await eventually('all are delivered', async () => {
      const all = await listDeliveries(shop.db, client, { limit: 100 })
      return all.length === 60 && all.every(({ state }) => state === 'delivered') && all
    })
    expect(new Set(deliveries.map(({ task_id }) => task_id))).toEqual(new Set(tasks.map(({ task_id }) => task_id)))
    const secret = await currentSecret(shop.db, client, WEBHOOK_KEYS, TEST_ACTOR)
    for (const received of receiver.received) verify(secret, received)
    expect(deliveries.reduce((sum, { attempts }) => sum + attempts, 0)).toBeGreaterThan(60)
  })
})

describe('the schedule', () => {
  it('a notification makes ten attempts over more than three days, each with up to 10 % jitter', () => {
    expect(SCHEDULE).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    for (let attempt = 1; attempt < 10; attempt += 1) {
      const planned = SCHEDULE[attempt]!
      expect(delayAfter(attempt, { random: () => 0 })).toBe(planned)
      expect(delayAfter(attempt, { random: () => 0.999 })).toBeLessThanOrEqual(planned * 1.1)
    }
    expect(delayAfter(10)).toBeUndefined()
  })

  it('Retry-After, in seconds or as a date, extends the delay of a notification up to a day', () => {
    const now = Date.UTC(2026, 10, 21)
    expect(retryAfterSeconds('120', now)).toBe(120)
    expect(retryAfterSeconds('Sat, 21 Nov 2026 00:10:00 GMT', now)).toBe(600)
    expect(retryAfterSeconds('soon', now)).toBeUndefined()
    expect(delayAfter(1, { asked: 120 })).toBe(120)
    expect(delayAfter(2, { asked: 10 })).toBeGreaterThanOrEqual(300)
    expect(delayAfter(1, { asked: 1e9 })).toBe(86_400)
  })

  it('a notification waits as long as Retry-After requests', async () => {
    await using receiver = await startReceiver((reply, _, count) =>
      count === 1 ? reply.writeHead(503, { 'retry-after': '2' }).end() : reply.writeHead(200).end(),
    )
    await using _worker = shop.startWorker(findsAs(), options)
    expect(await endedDelivery(await notify(receiver.url))).toMatchObject({ state: 'delivered', attempts: 2 })
    const [first, second] = receiver.received
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1900)
  })
})
