import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { leaseRequests } from '../../../src/rate-limits/lease-requests.ts'
import { RateLimiter } from '../../../src/rate-limits/rate-limiter.ts'
import { testDatabase } from '../../helpers/database.ts'

let service: Postgres<ServiceTables>
beforeAll(async () => {
  service = await testDatabase<ServiceTables>('service')
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends `asked` concurrent requests and returns the number accepted. */
async function take(limiter: RateLimiter, clientId: string, limit: number, asked: number): Promise<number> {
  const rates = await Promise.all(Array.from({ length: asked }, () => limiter.take(clientId, 'read', limit)))
  return rates.filter((rate) => rate.accepted).length
}

/** Sends `asked` requests from a separate process and returns the number accepted. */
async function takeInProcess(clientId: string, limit: number, asked: number): Promise<number> {
  const script = join(import.meta.dirname, 'take-requests.ts')
  const child = fork(script, [service.url, clientId, String(limit), String(asked)], { stdio: 'inherit' })
  const [accepted] = (await once(child, 'message')) as [number]
  await once(child, 'exit')
  return accepted
}

const endWindow = () => sql`update rate_window set ends_at = clock_timestamp()`.execute(service.db)

describe('a rate limit', () => {
  it.each([
    1, 5, 100, 5_000,
  ])('a rate limit of %i accepts exactly that number across three processes', async (limit) => {
    const accepted = await Promise.all([1, 2, 3].map(() => takeInProcess(`three-${limit}`, limit, limit)))
    expect(accepted.reduce((sum, count) => sum + count)).toBe(limit)
    expect(Math.max(...accepted)).toBeLessThanOrEqual(limit)
  })

  it('a rate limit needs far fewer round trips than requests, and no round trip for a refusal', async () => {
    let leases = 0
    const counting = service.db.withPlugin({
      transformQuery: ({ node }) => {
        leases += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const limiter = new RateLimiter(counting)
    for (let asked = 0; asked < 20_000; asked++) await limiter.take('busy', 'read', 60_000)
    expect(leases).toBeLessThan(40)
    for (let asked = 0; asked < 100_000; asked++) {
      const rate = await limiter.take('busy', 'read', 60_000)
      if (!rate.accepted) break
    }
    const before = leases
    for (let asked = 0; asked < 1_000; asked++)
      expect((await limiter.take('busy', 'read', 60_000)).accepted).toBe(false)
    expect(leases).toBe(before)
  })

  it('a rate limit never grants more than the remaining requests', async () => {
    const first = await leaseRequests(service.db, 'greedy', 'read', 100, 1_000)
    expect(first.granted).toBe(3) // 1/32 of the remaining requests
    const granted = [first.granted]
    for (let lease = await leaseRequests(service.db, 'greedy', 'read', 100, 1_000); lease.granted > 0; ) {
      granted.push(lease.granted)
      lease = await leaseRequests(service.db, 'greedy', 'read', 100, 1_000)
    }
    expect(granted.reduce((sum, count) => sum + count)).toBe(100)
  })

  it('a rate limit starts again with each window, and applies a lowered limit immediately', async () => {
    const limiter = new RateLimiter(service.db)
    expect(await take(limiter, 'anew', 10, 12)).toBe(10)
    expect(await take(limiter, 'anew', 4, 1)).toBe(0)
    await endWindow()
    expect(await take(new RateLimiter(service.db), 'anew', 10, 12)).toBe(10)
  })

  it('a rate limit returns the remaining requests and the time to wait', async () => {
    const limiter = new RateLimiter(service.db)
    expect(await limiter.take('told', 'submit', 2)).toMatchObject({ accepted: true, limit: 2, remaining: 1 })
    expect(await limiter.take('told', 'submit', 2)).toMatchObject({ accepted: true, remaining: 0 })
    const refused = await limiter.take('told', 'submit', 2)
    expect(refused).toMatchObject({ accepted: false, remaining: 0 })
    expect(refused.resetSeconds).toBeGreaterThan(0)
    expect(refused.resetSeconds).toBeLessThanOrEqual(60)
  })

  it('a rate limit accepts a caller that has waited for the returned time', async () => {
    let now = 0
    const limiter = new RateLimiter(service.db, () => now)
    expect(await take(limiter, 'patient', 1, 2)).toBe(1)
    const { resetSeconds } = await limiter.take('patient', 'read', 1)
    await endWindow() // advances the database's clock too
    now += resetSeconds * 1000
    expect((await limiter.take('patient', 'read', 1)).accepted).toBe(true)
  })

  it("a rate limit accepts requests after the database's clock is set back by hours", async () => {
    expect(await take(new RateLimiter(service.db), 'back', 2, 3)).toBe(2)
    await sql`update rate_window set ends_at = ends_at + interval '3 hours' where client_id = 'back'`.execute(
      service.db,
    )
    expect(await take(new RateLimiter(service.db), 'back', 2, 3)).toBe(2)
  })

  it('a rate limit queries the database again after an outage', async () => {
    const limiter = new RateLimiter(service.db)
    await sql`alter table rate_window rename to rate_window_away`.execute(service.db)
    await expect(limiter.take('away', 'read', 5)).rejects.toThrow()
    await sql`alter table rate_window_away rename to rate_window`.execute(service.db)
    expect((await limiter.take('away', 'read', 5)).accepted).toBe(true)
  })
})
