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

describe('the hostRateLimit of one process', () => {
  it('hands out turns of one host an interval apart, and hosts do not wait for each other', async () => {
    let now = 5000
    const hostRateLimit = new LocalHostRateLimit(() => now)
    const waits = async (host: string) => (await hostRateLimit.takeTurn(host, 1000)).wait
    expect([await waits('a'), await waits('a'), await waits('b'), await waits('a')]).toEqual([0, 1000, 0, 2000])
    now += 2500
    expect([await waits('a'), await waits('a')]).toEqual([500, 1500])
    now += 10_000
    expect(await waits('a')).toBe(0)
  })

  it('leaves a host alone that asks for it, and waits for it only when that is soon over', async () => {
    let now = 0
    const hostRateLimit = new LocalHostRateLimit(() => now)
    await hostRateLimit.rest('a', 20)
    expect(await hostRateLimit.takeTurn('a', 1000)).toEqual({ wait: 20_000 })
    await hostRateLimit.rest('a', 3600)
    await expect(hostRateLimit.takeTurn('a', 1000)).rejects.toMatchObject({ code: 'unavailable', retryable: true })
    now += 3_600_000
    expect(await hostRateLimit.takeTurn('a', 1000)).toEqual({ wait: 0 })
  })

  it('remembers no more than ten thousand hosts', async () => {
    const hostRateLimit = new LocalHostRateLimit()
    for (let host = 0; host < 12_000; host++) await hostRateLimit.takeTurn(`${host}.example`, 1000)
    expect(hostRateLimit.size).toBe(10_000)
  })
})

describe('the hostRateLimit of all processes that share a database', () => {
  const nextAt = async (db: Db): Promise<number> => {
    const { rows } = await sql<{
      at: number
    }>`select extract(epoch from next_at)::float8 as at from host_rate_limit`.execute(db)
    return rows[0]?.at ?? 0
  }

  it('never hands out a turn twice, whoever asks and however many at once', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    await using other = openPostgres<ServiceTables>(service.url, { log: silentLog, name: 'other', connections: 10 })
    const paces = [createSharedHostRateLimit(service.db, silentLog), createSharedHostRateLimit(other.db, silentLog)]
    await paces[0]?.takeTurn('acme.example', 500)
    const first = await nextAt(service.db)
    const turns = await Promise.all(
      Array.from({ length: 40 }, (_, place) => (paces[place % 2] as HostRateLimit).takeTurn('acme.example', 500)),
    )
    // Forty turns, half a second each: not one of them was given to two.
    expect((await nextAt(service.db)) - first).toBeCloseTo(20, 5)
    expect(Math.max(...turns.map(({ wait }) => wait))).toBeGreaterThan(15_000)
  })

  it('leaves a host alone that asked it of another process, and forgets hosts that have had their rest', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    const [one, two] = [
      createSharedHostRateLimit(service.db, silentLog),
      createSharedHostRateLimit(service.db, silentLog),
    ]
    await one.rest('acme.example', 3600)
    await expect(two.takeTurn('acme.example', 1000)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await two.takeTurn('other.example', 1000)).toEqual({ wait: 0 })
    await sql`update host_rate_limit set next_at = now() - interval '1 hour' where host = 'other.example'`.execute(
      service.db,
    )
    expect(await pruneHostRateLimits(service.db)).toBe(1)
  })

  it('is kept by each process for itself while the database is away', async () => {
    const service = await testDatabase<ServiceTables>('service')
    const hostRateLimit = createSharedHostRateLimit(service.db, silentLog)
    await service[Symbol.asyncDispose]()
    expect([await hostRateLimit.takeTurn('a', 1000), (await hostRateLimit.takeTurn('a', 1000)).wait > 0]).toEqual([
      { wait: 0 },
      true,
    ])
  })
})

describe('the gate of a host', () => {
  const { signal } = new AbortController()
  const told = (waits: number[]) => {
    const events: string[] = []
    const hostRateLimit: HostRateLimit = {
      takeTurn: async (host, interval) => {
        events.push(`${host}: a turn of ${interval} ms`)
        return { wait: waits.shift() ?? 0 }
      },
      rest: async (host, seconds) => void events.push(`${host}: rest for ${seconds} s`),
    }
    const wait = async (milliseconds: number) => void events.push(`wait ${milliseconds}`)
    return { events, hostRateLimit, wait }
  }

  it('waits for the turn, then lets the request pass', async () => {
    const { events, hostRateLimit, wait } = told([0, 750])
    const gate = new HostGate(fetchingSettings({ requests_per_second: 1 }), hostRateLimit, wait)
    await Promise.all(
      [1, 2].map((request) => gate.pass('a', async () => void events.push(`request ${request}`), signal)),
    )
    expect(events).toEqual([
      'a: a turn of 1000 ms',
      'wait 0',
      'request 1',
      'a: a turn of 1000 ms',
      'wait 750',
      'request 2',
    ])
    expect(gate.size).toBe(0)
  })

  it('is slowed down by what the host itself asks for, never sped up', async () => {
    const { events, hostRateLimit, wait } = told([])
    const gate = new HostGate(fetchingSettings({ requests_per_second: 2 }), hostRateLimit, wait)
    await gate.pass('a', async () => undefined, signal, 5)
    await gate.pass('a', async () => undefined, signal, 0.1)
    expect(events.filter((event) => event.startsWith('a'))).toEqual(['a: a turn of 5000 ms', 'a: a turn of 500 ms'])
  })

  it('is open for hosts of our own, and without a limit', async () => {
    const { events, hostRateLimit, wait } = told([])
    const own = new HostGate(
      fetchingSettings({ requests_per_second: 1, own_hosts: ['*.example'] }),
      hostRateLimit,
      wait,
    )
    await own.pass('a.example', async () => undefined, signal)
    await own.rest('a.example', 60)
    await new HostGate(fetchingSettings({ requests_per_second: 0 }), hostRateLimit, wait).pass(
      'a',
      async () => 1,
      signal,
    )
    expect(events).toEqual([])
  })

  it('forgets a host whose request failed, and lets go of it when its caller stops', async () => {
    const gate = new HostGate(fetchingSettings({ requests_per_second: 1 }), new LocalHostRateLimit(() => 0))
    await gate.pass('a', async () => undefined, signal)
    const stop = new AbortController()
    const waiting = gate.pass('a', async () => undefined, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(gate.pass('b', () => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
    expect(gate.size).toBe(0)
  })
})
