import { describe, expect, it } from 'vitest'
import { createHostClient } from '../../../../pipelines/host/host-client.ts'
import type { FirmHost } from '../../../helpers/firm-host.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms } from '../../../helpers/invented-firms.ts'

const QUERY = { select: ['sec_number'], order: 'sec_number.desc', limit: 50 }
const fast = { minDelay: 1, maxDelay: 2 }

const clientOf = (host: FirmHost, options: object = {}) =>
  createHostClient({ baseUrl: host.url, apiKey: 'key', retry: fast, ...options })

/** A client of a host that responds in this process. */
const clientWith = (fetch: (url: string) => Promise<Response>, options: object = {}) =>
  createHostClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', retry: fast, fetch, ...options })

/** Returns a handler whose responses have these RateLimit-Policy headers, in turn. */
function withPolicies(policies: (string | undefined)[]) {
  const rest = [...policies]
  return async () => {
    const policy = rest.shift()
    return Response.json(
      { data: [], total_count: 0 },
      { headers: policy === undefined ? {} : { 'ratelimit-policy': policy } },
    )
  }
}

describe('the client of a host', () => {
  it.each([
    ['nine tenths of the limit', ['"read";q=60000;w=60'], [900]],
    [
      'the highest of several classes',
      ['"submit";q=600;w=60', '"read";q=6000;w=60', '"submit";q=600;w=60'],
      [9, 90, 90],
    ],
    ['a limit that the service lowers', ['"read";q=6000;w=60', '"read";q=600;w=60'], [90, 9]],
    ['the lowest of the policies in one header', ['"second";q=50;w=1, "hour";q=3600;w=3600'], [0.9]],
    ['no rate without a readable policy', [undefined, '100', '"read";q=0;w=60'], []],
  ])('derives the request rate from RateLimit-Policy: %s', async (_, policies, expected) => {
    const rates: number[] = []
    await using client = clientWith(withPolicies(policies), { onRateLimit: (rate: number) => rates.push(rate) })
    for (let sent = 0; sent < policies.length; sent += 1) await client.firms.query(QUERY)
    expect(rates).toEqual(expected)
  })

  it('counts requests and reads the clock of the service', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using client = clientOf(host)
    const page = await client.firms.query(QUERY)
    expect([page.data.length, page.total_count]).toEqual([50, 60])
    expect(client.counts).toEqual({ requests: 1, retries: 0 })
    expect(Math.abs(client.clock.aheadMs ?? Number.NaN)).toBeLessThan(2000)
  })

  it.each([
    ['a 500', { kind: 'status', status: 500 }],
    ['a 503 from a proxy that answers in HTML', { kind: 'status', status: 503, body: '<html>down</html>' }],
    ['a 408', { kind: 'status', status: 408 }],
    ['a connection cut in the middle of a body', { kind: 'cut' }],
    ['half a body that says it is whole', { kind: 'half' }],
    ['a reply that comes too late', { kind: 'slow', milliseconds: 600 }],
  ] as const)('retries a read after %s', async (_, fault) => {
    await using host = await startFirmHost(generateFirms(3))
    host.fault = ({ number }) => (number === 1 ? fault : undefined)
    await using client = clientOf(host, { timeout: 300 })
    expect((await client.firms.query(QUERY)).data).toHaveLength(3)
    expect(client.counts).toEqual({ requests: 2, retries: 1 })
  })

  it.each([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [402, 'insufficient_units'],
    [403, 'trial_expired'],
    [404, 'not_found'],
    [422, 'unprocessable'],
  ])('does not retry a %i, and reports %s', async (status, code) => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status })
    await using client = clientOf(host)
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({ code })
    expect(client.counts.requests).toBe(1)
  })

  it('fails immediately with retryAfter if Retry-After exceeds the maximum', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status: 429, retryAfter: '3600' })
    await using client = clientOf(host)
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3600 })
    expect(client.counts.requests).toBe(1)
  })

  it('retries a submission only after a 429, because a host may ignore idempotency keys', async () => {
    const statuses = [429, 500]
    await using client = clientWith(async () => Response.json({}, { status: statuses.shift() ?? 200 }))
    await expect(client.enrich.batch({ domains: ['a.example'] })).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(client.counts.requests).toBe(2)
  })

  it('reports where a response violates the interface, with the request ID', async () => {
    await using client = clientWith(async () =>
      Response.json({ data: 'none' }, { headers: { 'x-request-id': 'request-9' } }),
    )
    await expect(client.firms.query(QUERY)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/^POST \/firms returned an invalid response: \/data .* \(request request-9\)$/),
    })
  })

  it('keeps unknown fields of a response', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'page', change: () => ({ data: [{ odd: 1 }], total_count: 1, extra: true }) })
    await using client = clientOf(host)
    expect(await client.firms.query(QUERY)).toMatchObject({ data: [{ odd: 1 }], extra: true })
  })

  it('accepts null and any type in fields of a response that the pipelines do not need', async () => {
    const task = {
      id: 't1',
      status: 'running',
      task_type: null,
      progress: '50 %',
      completed_at: 0,
      units_refunded: null,
      output_data: 'none',
    }
    const usage = { units_remaining: 1, plan: { name: 'pro' }, period_ends_at: 1_790_000_000, overage_allowed: null }
    const quote = {
      companies_to_enrich: 2,
      units_required: null,
      message: ['free'],
      status: 200,
      companies_skipped: '3',
    }
    const replies: Record<string, unknown> = {
      '/v2/usage': usage,
      '/v2/tasks/t1': task,
      '/v2/tasks': { tasks: [task] },
      '/v2/clients/me/tal/enrich': quote,
      '/firms': { data: [], total_count: null, as_of: null },
    }
    await using client = clientWith(async (url) => Response.json(replies[new URL(url).pathname]))
    expect(await client.usage()).toEqual(usage)
    expect(await client.tasks.get('t1')).toEqual(task)
    expect(await client.tasks.list()).toEqual([task])
    expect(await client.tal.enrich({ dry_run: true })).toEqual(quote)
    expect((await client.firms.query(QUERY)).data).toEqual([])
  })

  it('the host client returns undefined for an unknown company', async () => {
    await using client = clientWith(async () => Response.json({ detail: 'Unknown company.' }, { status: 404 }))
    expect(await client.companies.get('a.example')).toBeUndefined()
  })

  it('limits concurrent requests, and does not count the wait as part of the timeout', async () => {
    let running = 0
    let most = 0
    const respond = async () => {
      most = Math.max(most, ++running)
      await new Promise((done) => setTimeout(done, 50))
      running -= 1
      return Response.json({ units_remaining: 1 })
    }
    await using client = clientWith(respond, { concurrency: 3, timeout: 150 })
    await Promise.all(Array.from({ length: 18 }, () => client.usage()))
    expect([most, client.counts]).toEqual([3, { requests: 18, retries: 0 }])
  })

  it('frees the slot of a request that was aborted while it waited', async () => {
    const stop = new AbortController()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const respond = async () => {
      await held
      return Response.json({ units_remaining: 1 })
    }
    await using client = clientWith(respond, { concurrency: 1 })
    const first = client.usage()
    const waiting = client.usage(stop.signal)
    stop.abort(new Error('told to stop'))
    await expect(waiting).rejects.toThrow('told to stop')
    release()
    await first
    expect(await client.usage()).toEqual({ units_remaining: 1 })
  })

  it('rejects an invalid base URL and names the setting', () => {
    expect(() => createHostClient({ baseUrl: 'localhost', apiKey: '' })).toThrow(
      expect.objectContaining({
        code: 'configuration',
        message: expect.stringContaining('TALHOUSE_SERVICE_BASE_URL'),
      }),
    )
  })
})
