import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, ServiceTables } from '../../../../src/db/database.ts'
import { HostGate } from '../../../../src/enrichment/fetching/host-gate.ts'
import type { HostRateLimit } from '../../../../src/enrichment/fetching/host-rate-limit.ts'
import { LocalHostRateLimit } from '../../../../src/enrichment/fetching/host-rate-limit.ts'
import {
  createSharedHostRateLimit,
  pruneHostRateLimits,
} from '../../../../src/enrichment/fetching/shared-host-rate-limit.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import { openPostgres } from '../../../../src/lib/postgres.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { fetchingSettings } from '../../../helpers/web-server.ts'

describe('LocalHostRateLimit', () => {
  it('reserves rate limit slots of one host an interval apart, independently for each host', async () => {
    let now = 5000
    const hostRateLimit = new LocalHostRateLimit(() => now)
    const waits = (host: string) => hostRateLimit.reserveSlot(host, 1000)
    expect([await waits('a'), await waits('a'), await waits('b'), await waits('a')]).toEqual([0, 1000, 0, 2000])
    now += 2500
    expect([await waits('a'), await waits('a')]).toEqual([500, 1500])
    now += 10_000
    expect(await waits('a')).toBe(0)
  })

  it('delays rate limit slots of a paused host, and reports the host as unavailable when the pause is long', async () => {
    let now = 0
    const hostRateLimit = new LocalHostRateLimit(() => now)
    await hostRateLimit.pause('a', 20)
    expect(await hostRateLimit.reserveSlot('a', 1000)).toBe(20_000)
    await hostRateLimit.pause('a', 3600)
    await expect(hostRateLimit.reserveSlot('a', 1000)).rejects.toMatchObject({ code: 'unavailable', retryable: true })
    now += 3_600_000
    expect(await hostRateLimit.reserveSlot('a', 1000)).toBe(0)
  })

  it('stores the rate limits of at most 10,000 hosts', async () => {
    const hostRateLimit = new LocalHostRateLimit()
    for (let host = 0; host < 12_000; host++) await hostRateLimit.reserveSlot(`${host}.example`, 1000)
    expect(hostRateLimit.size).toBe(10_000)
  })
})

describe('the shared host rate limit', () => {
  const nextAt = async (db: Db): Promise<number> => {
    const { rows } = await sql<{
      at: number
    }>`select extract(epoch from next_at)::float8 as at from host_rate_limit`.execute(db)
    return rows[0]?.at ?? 0
  }

  it('never reserves a rate limit slot twice under concurrent requests from two processes', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    await using other = openPostgres<ServiceTables>(service.url, { log: silentLog, name: 'other', connections: 10 })
    const limits = [createSharedHostRateLimit(service.db, silentLog), createSharedHostRateLimit(other.db, silentLog)]
    await limits[0]?.reserveSlot('acme.example', 500)
    const first = await nextAt(service.db)
    const slots = await Promise.all(
      Array.from({ length: 40 }, (_, place) => (limits[place % 2] as HostRateLimit).reserveSlot('acme.example', 500)),
    )
    // 40 distinct slots of 500 ms.
    expect((await nextAt(service.db)) - first).toBeCloseTo(20, 5)
    expect(Math.max(...slots)).toBeGreaterThan(0)
  })

  it('applies a host pause set by another process and prunes hosts whose slots have passed', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    const [one, two] = [
      createSharedHostRateLimit(service.db, silentLog),
      createSharedHostRateLimit(service.db, silentLog),
    ]
    await one.pause('acme.example', 3600)
    await expect(two.reserveSlot('acme.example', 1000)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await two.reserveSlot('other.example', 1000)).toBe(0)
    await sql`update host_rate_limit set next_at = now() - interval '1 hour' where host = 'other.example'`.execute(
      service.db,
    )
    expect(await pruneHostRateLimits(service.db)).toBe(1)
  })

  it('falls back to a rate limit within the process while the database is unavailable', async () => {
    const service = await testDatabase<ServiceTables>('service')
    const hostRateLimit = createSharedHostRateLimit(service.db, silentLog)
    await service[Symbol.asyncDispose]()
    expect([await hostRateLimit.reserveSlot('a', 1000), (await hostRateLimit.reserveSlot('a', 1000)) > 0]).toEqual([
      0,
      true,
    ])
  })
})

describe('HostGate', () => {
  const { signal } = new AbortController()
  const recorder = (waits: number[]) => {
    const events: string[] = []
    const hostRateLimit: HostRateLimit = {
      reserveSlot: async (host, interval) => {
        events.push(`${host}: a slot of ${interval} ms`)
        return waits.shift() ?? 0
      },
      pause: async (host, seconds) => void events.push(`${host}: pause for ${seconds} s`),
    }
    const wait = async (milliseconds: number) => void events.push(`wait ${milliseconds}`)
    return { events, hostRateLimit, wait }
  }

  it('waits for the rate limit slot before running the request', async () => {
    const { events, hostRateLimit, wait } = recorder([0, 750])
    const gate = new HostGate(fetchingSettings({ requests_per_second: 1 }), hostRateLimit, wait)
    await Promise.all(
      [1, 2].map((request) => gate.run('a', async () => void events.push(`request ${request}`), signal)),
    )
    expect(events).toEqual([
      'a: a slot of 1000 ms',
      'wait 0',
      'request 1',
      'a: a slot of 1000 ms',
      'wait 750',
      'request 2',
    ])
    expect(gate.size).toBe(0)
  })

  it('lets a crawl delay lower the rate but not raise it', async () => {
    const { events, hostRateLimit, wait } = recorder([])
    const gate = new HostGate(fetchingSettings({ requests_per_second: 2 }), hostRateLimit, wait)
    await gate.run('a', async () => undefined, signal, 5)
    await gate.run('a', async () => undefined, signal, 0.1)
    expect(events.filter((event) => event.startsWith('a'))).toEqual(['a: a slot of 5000 ms', 'a: a slot of 500 ms'])
  })

  it("limits neither the operator's own hosts nor, with a rate of 0, any host", async () => {
    const { events, hostRateLimit, wait } = recorder([])
    const own = new HostGate(
      fetchingSettings({ requests_per_second: 1, own_hosts: ['*.example'] }),
      hostRateLimit,
      wait,
    )
    await own.run('a.example', async () => undefined, signal)
    await own.pause('a.example', 60)
    await new HostGate(fetchingSettings({ requests_per_second: 0 }), hostRateLimit, wait).run(
      'a',
      async () => 1,
      signal,
    )
    expect(events).toEqual([])
  })

  it("drops a host's rate limit after a failed or aborted request", async () => {
    const gate = new HostGate(fetchingSettings({ requests_per_second: 1 }), new LocalHostRateLimit(() => 0))
    await gate.run('a', async () => undefined, signal)
    const stop = new AbortController()
    const waiting = gate.run('a', async () => undefined, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(gate.run('b', () => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
    expect(gate.size).toBe(0)
  })
})
