import { describe, expect, it } from 'vitest'
import type { ClientOptions, FetchRequest } from '../../../src/client/index.ts'
import { ApiError, ConnectionError, createClient, TimeoutError } from '../../../src/client/index.ts'
import { retryAfterOf } from '../../../src/client/reply.ts'
import type { FirmHost } from '../../helpers/firm-host.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'

const QUERY = { select: ['sec_number'], order: 'sec_number.desc', limit: 50 } as const
const fast = { minDelay: 1, maxDelay: 2 }

const clientOf = (host: FirmHost, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: host.url, apiKey: 'key', retry: fast, ...options })

/** A client whose requests are handled in this process, and the requests that it sent. */
function answered(respond: (url: string, request: FetchRequest, number: number) => Response | Promise<Response>) {
  const sent: (FetchRequest & { url: string })[] = []
  const client = createClient({
    baseUrl: 'https://enrich.example/base/',
    apiKey: 'thk_test',
    retry: fast,
    fetch: async (url, request) => {
      sent.push({ url, ...request })
      return await respond(url, request, sent.length)
    },
  })
  return { client, sent }
}

describe('a request of the client', () => {
  it('sends the key, the encoded path, the query and JSON', async () => {
    const { client, sent } = answered(() => Response.json({ companies: [] }))
    await client.companies.get('a b/c', { include: ['leadership', 'signals'], include_provenance: true })
    await client.companies.batchRead({ domains: ['a.example'], include: ['all'] })
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      [
        'GET',
        'https://enrich.example/base/v2/companies/a%20b%2Fc?include=leadership%2Csignals&include_provenance=true',
        undefined,
      ],
      [
        'POST',
        'https://enrich.example/base/v2/companies/batch-read',
        JSON.stringify({ domains: ['a.example'], include: 'all' }),
      ],
    ])
    expect(sent[1]?.headers).toEqual({
      'x-api-key': 'thk_test',
      accept: 'application/json',
      'content-type': 'application/json',
    })
  })

  it.each([
    ['a 500', { kind: 'status', status: 500 }],
    ['a 503 from a proxy that answers in HTML', { kind: 'status', status: 503, body: '<html>down</html>' }],
    ['a connection cut in the middle of a body', { kind: 'cut' }],
    ['half a body that says it is whole', { kind: 'half' }],
    ['a reply that comes too late', { kind: 'slow', milliseconds: 600 }],
  ] as const)('retries a request after %s', async (_, fault) => {
    await using host = await startFirmHost(generateFirms(3))
    host.fault = ({ number }) => (number === 1 ? fault : undefined)
    const retries: object[] = []
    const client = clientOf(host, { timeout: 300, retry: { ...fast, onRetry: (retry) => retries.push(retry) } })
    expect((await client.firms.query(QUERY)).data).toHaveLength(3)
    expect(retries).toEqual([expect.objectContaining({ request: 'POST /firms', attempt: 1 })])
  })

  it('waits for Retry-After before a retry', async () => {
    await using host = await startFirmHost(generateFirms(3))
    host.fault = ({ number }) => (number === 1 ? { kind: 'status', status: 429, retryAfter: '1' } : undefined)
    const start = performance.now()
    await clientOf(host).firms.query(QUERY)
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  it('stops a request immediately when it is aborted, even while it waits', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status: 429, retryAfter: '60' })
    const [all, one] = [new AbortController(), new AbortController()]
    const client = clientOf(host, { signal: all.signal })
    const first = client.firms.query(QUERY, { signal: one.signal })
    const second = client.firms.query(QUERY)
    setTimeout(() => one.abort(new Error('stopped one')), 50)
    await expect(first).rejects.toThrow('stopped one')
    all.abort(new Error('stopped all'))
    await expect(second).rejects.toThrow('stopped all')
    await expect(client.usage()).rejects.toThrow('stopped all')
  })

  it('follows no redirect, because the key must not reach another address', async () => {
    const { client, sent } = answered(
      () => new Response('', { status: 307, headers: { location: 'https://x.example' } }),
    )
    await expect(client.usage()).rejects.toThrow('set baseUrl to the final address')
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual'])
  })

  it('reports responses to the caller with their request ID', async () => {
    const { client } = answered((_url, _request, number) =>
      Response.json(
        { units_remaining: 5 },
        { status: number === 1 ? 503 : 200, headers: { 'x-request-id': `r${number}` } },
      ),
    )
    const seen: unknown[] = []
    await client.usage({ onResponse: ({ request, status, requestId }) => seen.push([request, status, requestId]) })
    expect(seen).toEqual([
      ['GET /v2/usage', 503, 'r1'],
      ['GET /v2/usage', 200, 'r2'],
    ])
  })

  it('sends no key from a page whose session cookie authenticates the request', async () => {
    const headers: object[] = []
    const page = createClient({
      baseUrl: 'https://enrich.example',
      fetch: async (_url, request) => {
        headers.push(request.headers)
        return Response.json({})
      },
    })
    await page.usage()
    expect(headers).toEqual([{ accept: 'application/json' }])
  })

  it('rejects an invalid base URL and an invalid key without a request', () => {
    expect(() => createClient({ baseUrl: 'localhost', apiKey: '' })).toThrow('use https://host/path')
    expect(() => createClient({ baseUrl: 'https://a.example', apiKey: 'thk_\n' })).toThrow('API key')
  })
})

describe('a paid request', () => {
  it('sends a random idempotency key with a paid request and its retries', async () => {
    const { client, sent } = answered((_url, _request, number) =>
      number === 1 ? Promise.reject(new Error('reset')) : Response.json({ task_id: 't' }),
    )
    await client.enrich.company({ domain: 'a.example' })
    await client.tal.enrich({ max_age_days: 7 })
    const keys = sent.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0], expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('sends the given idempotency key with a paid request', async () => {
    const { client, sent } = answered(() => Response.json({ task_id: 't' }))
    await client.enrich.signals({ domains: ['a.example'] }, { idempotencyKey: 'mine' })
    expect(sent[0]?.headers['idempotency-key']).toBe('mine')
  })

  it('retries a non-repeatable paid request only after a 429', async () => {
    const statuses = [429, 500]
    const { client, sent } = answered(() => Response.json({}, { status: statuses.shift() ?? 200 }))
    await expect(client.enrich.batch({ domains: ['a.example'] }, { repeatable: false })).rejects.toMatchObject({
      status: 500,
    })
    expect(sent).toHaveLength(2)
  })

  it('waits longer for the response to a paid request if the service waits for the result', async () => {
    const { client, sent } = answered(() => Response.json({ task_id: 't' }))
    await client.enrich.company({ domain: 'a.example' }, { wait: 20 })
    expect(sent[0]?.url).toContain('/v2/enrich/company?wait=20')
  })

  it('adds the waiting time of a paid request to the timeout of the client or of the call', async () => {
    const client = createClient({
      baseUrl: 'https://enrich.example',
      timeout: 60,
      retry: { attempts: 1 },
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    const late = (milliseconds: number) => `POST /v2/enrich/company timed out after ${(milliseconds + 1000) / 1000} s.`
    await expect(client.enrich.company({ domain: 'a.example' }, { wait: 1 })).rejects.toThrow(late(60))
    await expect(client.enrich.company({ domain: 'a.example' }, { wait: 1, timeout: 90 })).rejects.toThrow(late(90))
  })
})

describe('an error', () => {
  it('throws errors with status, title, detail, code, invalid values and request ID', async () => {
    const { client, sent } = answered(() =>
      Response.json(
        {
          detail: '/domain is required.',
          code: 'unprocessable',
          request_id: 'request-7',
          errors: [{ path: '/domain', message: 'is required' }],
        },
        { status: 422 },
      ),
    )
    const error = await client.enrich.company({ domain: '' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      message: 'POST /v2/enrich/company returned 422: /domain is required. (request request-7)',
      status: 422,
      title: 'Validation failed',
      detail: '/domain is required.',
      code: 'unprocessable',
      errors: [{ path: '/domain', message: 'is required' }],
      requestId: 'request-7',
    })
    expect(sent).toHaveLength(1)
  })

  it.each([400, 401, 402, 403, 404, 409, 413, 422])('does not retry an error with status %i', async (status) => {
    const { client, sent } = answered(() => Response.json({ detail: 'no' }, { status }))
    await expect(client.usage()).rejects.toMatchObject({ status, detail: 'no' })
    expect(sent).toHaveLength(1)
  })

  it('throws the last error after the last attempt', async () => {
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'status', status: 500 })
    const client = clientOf(host, { retry: { ...fast, attempts: 3 } })
    await expect(client.firms.query(QUERY)).rejects.toThrow('POST /firms returned 500: fault 500 (request r3)')
  })

  it('throws an error immediately, with the seconds to wait, if Retry-After exceeds the maximum', async () => {
    const { client, sent } = answered(() => new Response('', { status: 429, headers: { 'retry-after': '3600' } }))
    await expect(client.usage()).rejects.toMatchObject({ status: 429, retryAfter: 3600 })
    expect(sent).toHaveLength(1)
  })

  it('names the reason for a failed connection and for a timeout in the error', async () => {
    const once = { ...fast, attempts: 1 }
    const closed = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', retry: once })
    const refused = await closed.usage().catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(ConnectionError)
    expect(refused).toMatchObject({
      message: expect.stringMatching(/from http:\/\/127\.0\.0\.1:1: .*(ECONNREFUSED|bad port)/),
    })
    await using host = await startFirmHost([])
    host.fault = () => ({ kind: 'slow', milliseconds: 400 })
    const late = await clientOf(host, { retry: once, timeout: 50 })
      .firms.query(QUERY)
      .catch((thrown: unknown) => thrown)
    expect(late).toBeInstanceOf(TimeoutError)
    expect(late).toMatchObject({ message: 'POST /firms timed out after 0.05 s.' })
  })
})

describe('Retry-After', () => {
  it.each([
    ['2', 2000],
    ['Sat, 21 Nov 2026 00:00:10 GMT', 10_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads the Retry-After header as %s', (text, expected) => {
    const headers = new Headers(text === undefined ? {} : { 'retry-after': text })
    expect(retryAfterOf({ headers }, Date.UTC(2026, 10, 21))).toBe(expected)
  })
})
