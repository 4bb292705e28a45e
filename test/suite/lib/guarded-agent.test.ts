import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseConnectTo } from '../../../src/lib/connect-to.ts'
import type { Guard } from '../../../src/lib/guarded-agent.ts'
import { checkedTargets, checkOutboundUrl, createGuardedAgent } from '../../../src/lib/guarded-agent.ts'
import { isPublicAddress } from '../../../src/lib/public-address.ts'
import { FORBIDDEN_HOSTS, PUBLIC_HOSTS } from './address-vectors.ts'

const guard = (over: Partial<Guard> = {}): Guard => ({ connectTo: [], ports: new Set([80, 443]), ...over })

let sockets = 0
const countSocket = (): void => {
  sockets++
}
beforeAll(() => channel('net.client.socket').subscribe(countSocket))
afterAll(() => {
  channel('net.client.socket').unsubscribe(countSocket)
})
beforeEach(() => {
  sockets = 0
})

const server = createServer((_, reply) => reply.end('secret'))
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

describe('non-public addresses', () => {
  it('the tests cover at least 75 spellings of non-public addresses and 20 spellings of public addresses', () => {
    expect(new Set(FORBIDDEN_HOSTS).size).toBeGreaterThanOrEqual(75)
    expect(new Set(PUBLIC_HOSTS).size).toBeGreaterThanOrEqual(20)
  })

  it.each(FORBIDDEN_HOSTS)('the guarded agent rejects http://%s/ without opening a socket', async (host) => {
    expect(() => checkOutboundUrl(`http://${host}/`, guard())).toThrow(
      expect.objectContaining({ code: 'unprocessable' }),
    )
    const agent = createGuardedAgent(guard())
    await expect(request(`http://${host}/`, { dispatcher: agent })).rejects.toMatchObject({ code: 'unprocessable' })
    await agent.close()
    expect(sockets).toBe(0)
  })

  it.each(FORBIDDEN_HOSTS)('the guarded agent rejects a name that resolves to %s', async (host) => {
    const address = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '')
    const agent = createGuardedAgent(guard({ resolve: async () => [{ address }] }))
    await expect(request('http://rebound.example/', { dispatcher: agent })).rejects.toMatchObject({
      code: 'unprocessable',
    })
    await agent.close()
    expect(sockets).toBe(0)
  })

  it.each(PUBLIC_HOSTS)('the guarded agent accepts http://%s/', (host) => {
    expect(checkOutboundUrl(`http://${host}/`, guard()).protocol).toBe('http:')
    expect(isPublicAddress(new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, ''))).toBe(true)
  })

  it.each([
    '',
    'not an address',
    '127.0.0.1.nip',
    'fe80::1%eth0',
    '2606:4700::1%lo',
  ])('does not treat "%s" as a public address', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })
})

describe('checkOutboundUrl', () => {
  it.each([
    'ftp://site.example/',
    'file:///etc/passwd',
    'gopher://site.example/',
    'data:text/html,x',
    'javascript:alert(1)',
    'http://user@site.example/',
    'https://user:pass@site.example/',
    'http://site.example:22/',
    'http://site.example:8080/',
    'https://site.example:6379/',
    '//site.example/',
    'http://',
    'http://[::1',
    'site.example',
  ])('checkOutboundUrl refuses %s', (url) => {
    expect(() => checkOutboundUrl(url, guard())).toThrow(expect.objectContaining({ code: 'unprocessable' }))
  })

  it('checkOutboundUrl does not include a password in its message', () => {
    expect(() => checkOutboundUrl('http://me:hunter2@site.example/', guard())).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    )
  })
})

describe('createGuardedAgent', () => {
  let agents: ReturnType<typeof createGuardedAgent>[] = []
  const agent = (over: Partial<Guard>) => {
    const made = createGuardedAgent(guard(over))
    agents.push(made)
    return made
  }
  afterEach(async () => {
    await Promise.all(agents.map((made) => made.destroy()))
    agents = []
  })

  it('the guarded agent rejects a name with one private address among public addresses', async () => {
    const resolve = async () => [{ address: '93.184.216.34' }, { address: '10.0.0.5' }]
    await expect(request('http://mixed.example/', { dispatcher: agent({ resolve }) })).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('10.0.0.5'),
    })
    expect(sockets).toBe(0)
  })

  it('the guarded agent resolves a name once and connects to the checked address', async () => {
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '93.184.216.34' : '127.0.0.1' }]
    const target = { hostname: 'rebinding.example', protocol: 'https:', port: '' }
    const targets = await checkedTargets(target, guard({ resolve }))
    expect(targets).toEqual([
      { hostname: '93.184.216.34', protocol: 'https:', port: '443', servername: 'rebinding.example' },
    ])
    expect(asked).toBe(1)
  })

  it('the guarded agent rejects localhost', async () => {
    await expect(request('http://localhost/', { dispatcher: agent({}) })).rejects.toMatchObject({
      code: 'unprocessable',
    })
    expect(sockets).toBe(0)
  })

  it('the guarded agent reports an unresolvable name as retryable', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(request('http://gone.example/', { dispatcher: agent({ resolve }) })).rejects.toMatchObject({
      code: 'upstream_failed',
      retryable: true,
    })
  })

  it('the guarded agent reaches loopback only through connect_to', async () => {
    const connectTo = parseConnectTo([`*.example::127.0.0.1:${port}`])
    const reply = await request('http://acme.example/', { dispatcher: agent({ connectTo }) })
    expect(await reply.body.text()).toBe('secret')
    await expect(request(`http://127.0.0.1:${port}/`, { dispatcher: agent({ connectTo }) })).rejects.toMatchObject({
      code: 'unprocessable',
    })
    await expect(request('http://127.0.0.1/', { dispatcher: agent({ connectTo }) })).rejects.toMatchObject({
      code: 'unprocessable',
    })
  })
})

describe('parseConnectTo', () => {
  it('parseConnectTo parses curl rules and wildcards', () => {
    expect(parseConnectTo(['*.example:443:127.0.0.1:8443', '::[::1]:80'])).toEqual([
      { host: '*.example', port: 443, target: { address: '127.0.0.1', port: 8443 } },
      { host: '*', port: null, target: { address: '::1', port: 80 } },
    ])
  })

  it.each([
    '',
    'acme.example',
    'acme.example:80',
    'a:b:c:d',
    'acme.example:80:127.0.0.1:99999',
  ])('parseConnectTo refuses "%s"', (rule) => {
    expect(() => parseConnectTo([rule])).toThrow(expect.objectContaining({ code: 'configuration' }))
  })
})
