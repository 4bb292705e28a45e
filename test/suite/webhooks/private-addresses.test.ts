import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receivers } from '../../../src/webhooks/receivers.ts'
import { openReceivers } from '../../../src/webhooks/receivers.ts'
import { sendWebhook, UNREACHABLE } from '../../../src/webhooks/send.ts'
import type { Receiver } from './receiver.ts'
import { startReceiver } from './receiver.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver[Symbol.asyncDispose]())

/** Spellings of non-public addresses: loopback, private, link-local, shared, reserved, wrapped IPv4. */
const FORBIDDEN = [
  '127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7f.1 0x7f000001 2130706433 017700000001',
  '127.0.0.1. 0.0.0.0 0 00000 0x0 0.0.0.1 10.0.0.1 10.255.255.255 167772161 0xa000001 172.16.0.1 172.31.255.255',
  '192.168.0.1 192.168.255.255 0xc0a80001 3232235521 169.254.169.254 169.254.0.1 0xa9fea9fe 2852039166 100.64.0.1',
  '100.127.255.255 192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255',
  '240.0.0.1 255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254] [::ffff:0.0.0.0] [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1] [2002:7f00:1::1] [2002:a00:1::1] [2002:c0a8:1::1] [2001:0:7f00:1::] [::ffff:0:127.0.0.1]',
  '[2001:db8::1] [3fff::1] [fc00::1] [fd00::1] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [100::1]',
  '[2001:10::1] [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:a00:1] １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1',
]
  .join(' ')
  .split(' ')

const PUBLIC = [
  '1.1.1.1 8.8.8.8 9.9.9.9 93.184.215.14 172.15.255.255 172.32.0.1 11.0.0.1 100.63.255.255 100.128.0.1 169.253.1.1',
  '192.167.1.1 192.169.1.1 198.17.0.1 198.20.0.1 223.255.255.254 126.1.1.1 128.1.1.1 [2606:4700:4700::1111]',
  '[2001:4860:4860::8888] [2a00:1450:4001::1]',
]
  .join(' ')
  .split(' ')

const attempt = async (receivers: Receivers, address: string) => {
  const url = receivers.check(address)
  const request = { headers: {}, payload: '{}', agent: receivers.agent, signal: new AbortController().signal }
  return await sendWebhook({ ...request, url, timeLimit: 2000, now: () => new Date() })
}

describe('a private address', () => {
  it(`refuses a private webhook address in all of ${FORBIDDEN.length} spellings before a socket is opened`, async () => {
    expect(FORBIDDEN.length).toBeGreaterThanOrEqual(75)
    await using receivers = openReceivers({ allowHttp: true, allowPrivate: false, ports: [receiver.port] })
    for (const host of FORBIDDEN) {
      const refused = await attempt(receivers, `http://${host}:${receiver.port}/`).catch((error) => error)
      expect(refused, host).toMatchObject({ code: 'unprocessable' })
    }
    expect(receiver.connections()).toBe(0)
  })

  it('refuses a private webhook address when a name resolves to it, even among other addresses or after a change', async () => {
    const loopback = { address: '127.0.0.1' }
    const outside = { address: '192.0.2.1' }
    for (const answers of [[loopback], [{ address: '1.1.1.1' }, loopback], [{ address: '::1' }], [outside]]) {
      const resolve = async () => answers
      await using receivers = openReceivers({ allowHttp: true, allowPrivate: false, ports: [receiver.port], resolve })
      const result = await attempt(receivers, `http://rebind.example:${receiver.port}/`)
      expect(result).toMatchObject({ verdict: 'failed', status: null, error: UNREACHABLE })
    }
    // The name resolves to a public address at submission and to a private one at delivery; each attempt checks again.
    let asked = 0
    const resolve = async () => [asked++ === 0 ? { address: '1.1.1.1' } : loopback]
    await using receivers = openReceivers({ allowHttp: true, allowPrivate: false, ports: [receiver.port], resolve })
    await resolve()
    expect(await attempt(receivers, `http://rebind.example:${receiver.port}/`)).toMatchObject({ verdict: 'failed' })
    expect(receiver.connections()).toBe(0)
  })
})

describe('a callback address', () => {
  it.each(PUBLIC)('accepts a callback address at %s', async (host) => {
    await using receivers = openReceivers({ allowHttp: false, allowPrivate: false, ports: [443] })
    expect(receivers.check(`https://${host}/hook`).protocol).toBe('https:')
  })

  it('a callback address must be https, without credentials, on an allowed port, and of limited length', async () => {
    await using receivers = openReceivers({ allowHttp: false, allowPrivate: false, ports: [80, 443] })
    for (const address of [
      'http://a.example/',
      'ftp://a.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'gopher://a.example/',
      'https://user:password@a.example/',
      'https://a.example:22/',
      'https://',
      'hook',
      '',
      `https://a.example/${'x'.repeat(3000)}`,
    ])
      expect(() => receivers.check(address), address).toThrow(expect.objectContaining({ code: 'unprocessable' }))
    expect(receivers.check('https://a.example/hook?x=1').href).toBe('https://a.example/hook?x=1')
  })
})
