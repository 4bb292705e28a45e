import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { createRateBudget, memoryStore } from '../../../src/client/rate-budget.ts'
import { retryAfterOf } from '../../../src/client/retry-after.ts'
import type { FirmHost } from '../../helpers/firm-host.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'

const QUERY = { select: ['sec_number'], order: 'sec_number.desc', limit: 50 }
const fast = { first: 1, longest: 2 }

const clientOf = (host: FirmHost, options: object = {}) =>
  createClient({ baseUrl: host.url, apiKey: 'key', retry: fast, ...options })

describe('the API client', () => {
  it('sends requests and counts them', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using client = clientOf(host)
    const page = await client.firms.query(QUERY)
    expect([page.data.length, page.total_count]).toEqual([50, 60])
    expect(client.counts).toEqual({ requests: 1, retries: 0 })
  })

  it.each([
    ['a 500', { kind: 'status', status: 500 }],
    ['a 503 from a proxy that answers in HTML', { kind: 'status', status: 503, body: '<html>down</html>' }],
    ['a 408', { kind: 'status', status: 408 }],
    ['a connection cut in the middle of a body', { kind: 'cut' }],
    ['half a body that says it is whole', { kind: 'half' }],
    ['a reply that comes too late', { kind: 'slow', milliseconds: 600 }],
  ] as const)('sends again after %s', async (_, fault) => {
    await using host = await startFirmHost(generateFirms(3))
    host.fault = ({ number }) => (number === 1 ? fault : undefined)
    await using client = clientOf(host, { timeout: 300 })
    expect((await client.firms.query(QUERY)).data).toHaveLength(3)
    expect(client.counts).toEqual({ requests: 2, retries: 1 })
  })

  it('waits for Retry-After', async () => {
    await using host = await startFirmHost(generateFirms(3))
    host.fault = ({ number }) => (number === 1 ? { kind: 'status', status: 429, retryAfter: '1' } : undefined)
    await using client = clientOf(host)
    const start = performance.now()
    await client.firms.query(QUERY)
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  it('fails at once with retryAfter if Retry-After exceeds the maximum', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status: 429, retryAfter: '3600' })
    await using client = clientOf(host)
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3600 })
    expect(client.counts.requests).toBe(1)
  })

  it('fails after the last attempt with the reason and request ID', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status: 500 })
    await using client = clientOf(host, { retry: { ...fast, attempts: 3 } })
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/POST \/firms returned 500: fault 500 \(request r3\)/),
    })
    expect(client.counts.requests).toBe(3)
  })

  it.each([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [402, 'insufficient_units'],
    [403, 'trial_expired'],
    [404, 'not_found'],
    [422, 'unprocessable'],
  ])('does not repeat a %i, and calls it %s', async (status, code) => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status })
    await using client = clientOf(host)
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({ code })
    expect(client.counts.requests).toBe(1)
  })

  it('retries a paid request only after a 429', async () => {
    const statuses = [429, 500]
    await using client = createClient({
      baseUrl: '',
      apiKey: '',
      retry: fast,
      send: async () => ({ status: statuses.shift() ?? 200, headers: {}, body: {} }),
    })
    const paid = client.call({}, { method: 'POST', path: '/v2/enrich/company', body: {} })
    await expect(paid).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(client.counts.requests).toBe(2)
  })

  it('reports where a response violates the interface', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'page', change: () => ({ data: 'none' }) })
    await using client = clientOf(host)
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('/data'),
    })
  })

  it('keeps unknown fields', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'page', change: () => ({ data: [{ odd: 1 }], total_count: 1, extra: true }) })
    await using client = clientOf(host)
    expect(await client.firms.query(QUERY)).toMatchObject({ data: [{ odd: 1 }], extra: true })
  })

  it('limits concurrent requests', async () => {
    let running = 0
    let most = 0
    await using client = createClient({
      baseUrl: '',
      apiKey: '',
      concurrency: 3,
      send: async () => {
        most = Math.max(most, ++running)
        await new Promise((done) => setTimeout(done, 5))
        running -= 1
        return { status: 200, headers: {}, body: {} }
      },
    })
    await Promise.all(Array.from({ length: 12 }, () => client.call({}, { method: 'GET', path: '/' })))
    expect(most).toBe(3)
  })

  it('stops immediately when aborted, also while waiting', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status: 429, retryAfter: '60' })
    const stop = new AbortController()
    await using client = clientOf(host, { signal: stop.signal })
    const asked = client.firms.query(QUERY)
    setTimeout(() => stop.abort(new Error('told to stop')), 50)
    await expect(asked).rejects.toThrow('told to stop')
  })

  it('rejects an invalid base URL and names the setting', () => {
    expect(() => createClient({ baseUrl: 'localhost', apiKey: '' })).toThrow(/TALHOUSE_SERVICE_BASE_URL/)
  })
})

describe('the rate budget', () => {
  it('allows a burst, then one request per interval', async () => {
    const store = memoryStore({ perSecond: 100, burst: 5 })
    const start = performance.now()
    for (let taken = 0; taken < 5; taken += 1) expect((await store.reserve(1)).startsIn).toBeLessThanOrEqual(0)
    const budget = createRateBudget(store)
    for (let taken = 0; taken < 10; taken += 1) await budget.take()
    expect(performance.now() - start).toBeGreaterThan(80)
  })

  it('keeps the shared rate for any lease size', async () => {
    const store = memoryStore({ perSecond: 200, burst: 1 })
    const budgets = [createRateBudget(store, 4), createRateBudget(store, 4)]
    const start = performance.now()
    await Promise.all(budgets.flatMap((budget) => Array.from({ length: 20 }, () => budget.take())))
    expect(performance.now() - start).toBeGreaterThan((39 / 200) * 1000 - 20)
  })

  it('pauses all users after one pause', async () => {
    const store = memoryStore({ perSecond: 1000, burst: 10 })
    const [one, other] = [createRateBudget(store), createRateBudget(store)]
    await one.pause(100)
    const start = performance.now()
    await other.take()
    expect(performance.now() - start).toBeGreaterThan(90)
  })
})

describe('Retry-After', () => {
  it.each([
    ['2', 2000],
    ['Sat, 21 Nov 2026 00:00:10 GMT', 10_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads %s', (text, expected) => {
    const reply = { status: 429, headers: { 'retry-after': text }, body: {} }
    expect(retryAfterOf(reply, Date.UTC(2026, 10, 21))).toBe(expected)
  })
})
