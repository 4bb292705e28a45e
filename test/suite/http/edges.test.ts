import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/api-key.ts'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { throttleInvalidKeys } from '../../../src/auth/invalid-keys.ts'
import { KeyRing } from '../../../src/auth/key-ring.ts'
import { createApp } from '../../../src/http/app.ts'
import { listen } from '../../../src/http/listen.ts'
import { networkOf, parseAddressList } from '../../../src/lib/address-list.ts'
import { pruneRateWindows } from '../../../src/rate-limits/prune-windows.ts'
import { RateLimiter } from '../../../src/rate-limits/rate-limiter.ts'
import type { Edges } from '../../helpers/open-edges.ts'
import { sendRaw } from '../../helpers/raw-http.ts'
import { startService } from '../../helpers/service.ts'

const proxies = parseAddressList('http.trusted_proxies', ['127.0.0.1'])

describe('the Host header', () => {
  const withHost = (url: string, ...hosts: string[]) =>
    sendRaw(
      url,
      `GET /health/live HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`,
    )

  it('the Host header may contain any name by default, but only once', async () => {
    await using service = await startService()
    expect(await withHost(service.url, 'api.customer.example')).toMatchObject({ status: 200 })
    for (const hosts of [['a.example', 'b.example'], ['a.example', 'a.example'], []])
      expect(await withHost(service.url, ...hosts), hosts.join()).toMatchObject({ status: 400 })
  })

  it('the Host header must be an address, localhost or an allowed name if names are configured', async () => {
    await using service = await startService({ edges: { allowedHosts: ['api.example.com', '*.lan.example'] } })
    for (const host of [
      '127.0.0.1:8080',
      '10.1.2.3',
      '[::1]:8080',
      'localhost:8080',
      'app.localhost',
      'API.example.com',
      'api.example.com.:443',
      'host.lan.example',
    ])
      expect(await withHost(service.url, host), host).toMatchObject({ status: 200 })
    for (const host of [
      'evil.example',
      'api.example.com.evil.example',
      'lan.example',
      'evillan.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '[evil.example]',
      'a@127.0.0.1',
      '',
    ])
      expect(await withHost(service.url, host), host).toMatchObject({
        status: 400,
        body: expect.stringContaining('http.allowed_hosts'),
      })
  })
})

describe('invalid API keys', () => {
  const options = { invalidKeysPerMinute: 5, edges: { trustedProxies: proxies } }
  const from = (address: string) => ({ 'x-forwarded-for': address })

  it('refuses invalid API keys with 429 above the limit of their address, without affecting active clients or other addresses', async () => {
    await using service = await startService(options)
    const send = (key: string, address: string) => service.call('GET', '/v2/usage', { key, headers: from(address) })
    expect((await send(service.key, '192.0.2.1')).status).toBe(200)
    const statuses = []
    for (let attempt = 0; attempt < 8; attempt += 1) statuses.push((await send(generateApiKey(), '192.0.2.1')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const refused = await send('thk_malformed', '192.0.2.1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send(service.key, '192.0.2.1')).status).toBe(200)
    expect((await send(generateApiKey(), '192.0.2.2')).status).toBe(401)

    // A valid key that this process has not accepted before is refused too, because the address may be guessing keys.
    const { key } = await createApiKey(service.db, service.client.client_id)
    expect((await send(key, '192.0.2.1')).status).toBe(429)
    expect((await send(key, '192.0.2.2')).status).toBe(200)
  })

  it('counts invalid API keys over all processes', async () => {
    await using service = await startService(options)
    await using keyRing = new KeyRing(service.db)
    const authenticateKey = throttleInvalidKeys(keyRing, new RateLimiter(service.db), 5)
    const other = await createApp({ ...service.deps, authenticateKey })
    await using listening = await listen(other, { host: '127.0.0.1', port: 0 })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const url = attempt % 2 === 0 ? service.url : listening.url
      const headers = { 'x-api-key': generateApiKey(), ...from('192.0.2.9') }
      statuses.push((await fetch(`${url}/v2/usage`, { headers })).status)
    }
    expect(statuses.filter((status) => status === 401).length).toBe(5)
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429])
  })

  it('counts invalid API keys by IPv6 network, and prunes their windows', async () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
    await using service = await startService(options)
    await service.call('GET', '/v2/usage', { key: generateApiKey(), headers: from('2001:db8::1') })
    const windows = async () =>
      (await sql`select client_id from rate_window where rate_class = 'invalid_key'`.execute(service.db)).rows
    expect(await windows()).toEqual([{ client_id: '2001:db8:0:0::/64' }])
    await sql`update rate_window set ends_at = '2020-01-01'`.execute(service.db)
    await pruneRateWindows(service.db)
    expect(await windows()).toEqual([])
  })

  it("counts invalid API keys by the sender's address, regardless of X-Forwarded-For, unless a proxy is trusted", async () => {
    await using service = await startService({ invalidKeysPerMinute: 2 })
    const statuses = []
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      statuses.push((await service.call('GET', '/v2/usage', { key: generateApiKey(), headers: from(address) })).status)
    expect(statuses).toEqual([401, 401, 429])
  })
})

describe('/metrics', () => {
  const token = 'a token of the operator'.replaceAll(' ', '-')
  const none = parseAddressList('readers', [])
  const status = async (edges: Partial<Edges>, headers: Record<string, string> = {}) => {
    await using service = await startService({ edges })
    return (await service.call('GET', '/metrics', { headers })).status
  }

  it('serves /metrics to configured addresses and to the token', async () => {
    const readers = parseAddressList('readers', ['127.0.0.0/8'])
    expect(await status({ metrics: { readers, token: undefined } })).toBe(200)
    expect(await status({ metrics: { readers: none, token } }, { authorization: `Bearer ${token}` })).toBe(200)
  })

  it('refuses /metrics to other addresses, even behind a proxy', async () => {
    const readers = parseAddressList('readers', ['127.0.0.0/8'])
    expect(await status({ metrics: { readers: none, token: undefined } })).toBe(404)
    expect(await status({ metrics: { readers: none, token: undefined } }, { authorization: 'Bearer undefined' })).toBe(
      404,
    )
    expect(await status({ metrics: { readers: none, token } }, { authorization: `Bearer ${token}x` })).toBe(404)
    const behindProxy = { metrics: { readers, token }, trustedProxies: proxies }
    expect(await status(behindProxy, { 'x-forwarded-for': '192.0.2.1' })).toBe(404)
  })
})

describe('address lists', () => {
  it('address lists match addresses, networks and IPv4 addresses written as IPv6', () => {
    const list = parseAddressList('http.trusted_proxies', ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
    for (const address of ['10.9.8.7', '::ffff:10.9.8.7', '192.0.2.7', '2001:db8::1']) expect(list(address)).toBe(true)
    for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', 'unix', '']) expect(list(address)).toBe(false)
  })

  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'proxy.example',
    '',
    '10.0.0.0/8/8',
    '::1/129',
  ])('an address list cannot contain %j', (entry) => {
    expect(() => parseAddressList('http.trusted_proxies', [entry])).toThrow(
      `http.trusted_proxies: "${entry}" is not an address or network such as 10.0.0.0/8.`,
    )
  })
})
