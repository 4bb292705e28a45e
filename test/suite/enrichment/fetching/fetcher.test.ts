import { channel } from 'node:diagnostics_channel'
import type { RequestListener, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Fetched } from '../../../../src/enrichment/fetching/fetched.ts'
import { createFetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import type { HostRateLimit } from '../../../../src/enrichment/fetching/host-rate-limit.ts'
import { LocalHostRateLimit } from '../../../../src/enrichment/fetching/host-rate-limit.ts'
import type { FetchingSettings } from '../../../../src/enrichment/fetching/settings.ts'
import { byPath, fetchingSettings, serveWeb } from '../../../helpers/web-server.ts'
import { FORBIDDEN_HOSTS } from '../../lib/address-vectors.ts'

/** Serves, fetches, closes. `get` takes a path on http://acme.example. */
async function web<Result>(
  listener: RequestListener,
  use: (get: (path: string) => Promise<Fetched>) => Promise<Result>,
  over: Partial<FetchingSettings> = {},
): Promise<Result> {
  await using server = await serveWeb(listener)
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [server.connectTo], ...over }))
  const { signal } = new AbortController()
  return await use((path) => fetcher.get(new URL(path, 'http://acme.example').href, { signal }))
}
const textOf = (fetched: Fetched): string =>
  fetched.outcome === 'page' ? fetched.text() : `${fetched.outcome}: ${fetched.reason}`

describe('fetching a page', () => {
  it('sends the product and contact as user agent', async () => {
    const echo = byPath({ '/': (request, reply) => reply.end(request.headers['user-agent']) })
    expect(textOf(await web(echo, (get) => get('/')))).toBe('talhouse/0.0 (+mailto:owner@talhouse.example)')
  })

  it.each([
    ['gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['gzip, br', brotliCompressSync(gzipSync('packed'))],
  ])('unpacks a page from %s', async (encoding, body) => {
    const packed = byPath({ '/': (_, reply) => reply.setHeader('content-encoding', encoding).end(body) })
    expect(textOf(await web(packed, (get) => get('/')))).toBe('packed')
  })

  it.each([
    ['the header', 'text/html; charset=iso-8859-2', Buffer.from([0xa3, 0x75, 0x63, 0x6a, 0x61]), 'Łucja'],
    [
      'a meta element',
      'text/html',
      Buffer.concat([Buffer.from('<meta charset=windows-1251>'), Buffer.from([0xcd, 0xe5])]),
      '<meta charset=windows-1251>Не',
    ],
    ['a byte order mark', 'text/html; charset=windows-1252', Buffer.from('\ufeffZoë'), 'Zoë'],
    ['its bytes, when they are UTF-8', 'text/html', Buffer.from('Zoë'), 'Zoë'],
    ['its bytes, when they are not', 'text/html', Buffer.from([0x5a, 0x6f, 0xeb]), 'Zoë'],
    ['its bytes, against a wrong header', 'text/html; charset=utf-8', Buffer.from([0x5a, 0x6f, 0xeb]), 'Zoë'],
    [
      'the header, in spite of one broken byte',
      'text/html; charset=utf-8',
      Buffer.concat([Buffer.from('Иван'), Buffer.from([0xff])]),
      'Иван\ufffd',
    ],
    ['a name that no one knows as windows-1252', 'text/html; charset=klingon', Buffer.from([0x5a, 0x6f, 0xeb]), 'Zoë'],
  ])('decodes a page by %s', async (_, type, body, text) => {
    const page = byPath({ '/': (_request, reply) => reply.setHeader('content-type', type).end(body) })
    expect(textOf(await web(page, (get) => get('/')))).toBe(text)
  })

  it.each([
    [404, 'missing', 'the site responded with 404'],
    [410, 'missing', 'the site responded with 410'],
    [403, 'refused', 'the site responded with 403'],
    [401, 'refused', 'the site responded with 401'],
    [500, 'unavailable', 'the site responded with 500'],
  ])('treats a page that responds %i as %s', async (status, outcome, reason) => {
    const page = byPath({ '/': (_, reply) => reply.writeHead(status).end() })
    expect(await web(page, (get) => get('/'))).toMatchObject({ outcome, reason })
  })

  it('returns the Retry-After of a page in seconds', async () => {
    const busy = byPath({ '/': (_, reply) => reply.writeHead(429, { 'retry-after': '120' }).end() })
    expect(await web(busy, (get) => get('/'))).toMatchObject({ outcome: 'unavailable', retryAfter: 120 })
  })

  it('revalidates a cached page with a conditional request', async () => {
    const asked: (string | undefined)[] = []
    const page = byPath({
      '/': (request, reply) => {
        asked.push(request.headers['if-none-match'])
        if (request.headers['if-none-match'] === '"1"') reply.writeHead(304).end()
        else reply.setHeader('etag', '"1"').end('once')
      },
    })
    await web(page, async (get) => {
      expect([textOf(await get('/')), textOf(await get('/'))]).toEqual(['once', 'once'])
    })
    expect(asked).toEqual([undefined, '"1"'])
  })
})

describe('redirects', () => {
  it('follows redirects', async () => {
    const moved = byPath({ '/': (_, reply) => reply.writeHead(301, { location: '/new' }).end(), '/new': 'here' })
    expect(await web(moved, (get) => get('/'))).toMatchObject({ outcome: 'page', url: 'http://acme.example/new' })
  })

  it('refuses redirects after the maximum number', async () => {
    let hops = 0
    const circle: RequestListener = (request, reply) => {
      if (request.url === '/robots.txt') return reply.writeHead(404).end()
      return reply.writeHead(302, { location: `/${++hops}` }).end()
    }
    expect(await web(circle, (get) => get('/'))).toMatchObject({ outcome: 'refused', reason: 'more than 5 redirects' })
    expect(hops).toBe(6)
  })

  it.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'file:///etc/passwd',
    'http://2130706433/',
    'gopher://x.example/',
  ])('refuses redirects to %s', async (location) => {
    const trap = byPath({ '/': (_, reply) => reply.writeHead(302, { location }).end() })
    expect(await web(trap, (get) => get('/'))).toMatchObject({ outcome: 'refused' })
  })

  it(`refuses redirects to ${FORBIDDEN_HOSTS.length} spellings of internal addresses without opening a socket`, async () => {
    let sockets = 0
    const countSocket = () => void sockets++
    const trap: RequestListener = ({ url }, reply) => {
      const place = (FORBIDDEN_HOSTS[Number(url?.slice(1))] ?? '').replace(/[^\x20-\x7e]/gu, encodeURIComponent)
      if (url === '/robots.txt') reply.writeHead(404).end()
      else reply.writeHead(302, { location: `http://${place}/` }).end()
    }
    channel('net.client.socket').subscribe(countSocket)
    try {
      await web(trap, async (get) => {
        for (const place of FORBIDDEN_HOSTS.keys())
          expect(await get(`/${place}`)).toMatchObject({
            outcome: 'refused',
            reason: expect.stringContaining('not a public'),
          })
      })
    } finally {
      channel('net.client.socket').unsubscribe(countSocket)
    }
    // The only request went to the redirecting site.
    expect(sockets).toBe(1)
  })

  it('does not follow redirects to a social network', async () => {
    const trap = byPath({
      '/': (_, reply) => reply.writeHead(302, { location: 'https://www.linkedin.com/company/acme' }).end(),
    })
    expect(await web(trap, (get) => get('/'))).toMatchObject({
      outcome: 'refused',
      reason: 'social networks are not fetched',
    })
  })
})

describe('robots.txt', () => {
  const site = (robots: (reply: ServerResponse) => void) =>
    byPath({ '/robots.txt': (_, reply) => robots(reply), '/': 'home', '/private/x': 'secret', '/private/open': 'open' })
  const rules = (text: string) => site((reply) => reply.end(text))

  it('obeys robots.txt, with precedence for the longest rule', async () => {
    await web(rules('User-agent: *\nDisallow: /private/\nAllow: /private/open'), async (get) => {
      expect(textOf(await get('/'))).toBe('home')
      expect(await get('/private/x')).toMatchObject({ outcome: 'refused', reason: 'disallowed by robots.txt' })
      expect(textOf(await get('/private/open'))).toBe('open')
    })
  })

  it('applies the robots.txt group of the product if there is one', async () => {
    expect(
      await web(rules('User-agent: *\nAllow: /\n\nUser-agent: talhouse\nDisallow: /'), (get) => get('/')),
    ).toMatchObject({
      outcome: 'refused',
    })
  })

  it('fetches any page of a site without robots.txt', async () => {
    expect(
      textOf(
        await web(
          site((reply) => reply.writeHead(404).end()),
          (get) => get('/private/x'),
        ),
      ),
    ).toBe('secret')
  })

  it('fetches no page of a site whose robots.txt is unreachable', async () => {
    expect(
      await web(
        site((reply) => reply.writeHead(503).end()),
        (get) => get('/'),
      ),
    ).toMatchObject({
      outcome: 'unavailable',
      reason: 'robots.txt responded with 503',
    })
  })

  it('parses robots.txt up to 500 KiB', async () => {
    const filler = `# ${'x'.repeat(98)}\n`.repeat(6000)
    await web(rules(`User-agent: *\nDisallow: /private/\n${filler}Disallow: /`), async (get) => {
      expect(textOf(await get('/'))).toBe('home')
      expect(await get('/private/x')).toMatchObject({ outcome: 'refused' })
    })
  })

  it('requests robots.txt once', async () => {
    let asked = 0
    await web(
      site((reply) => reply.end(`# ${++asked}`)),
      async (get) => {
        await Promise.all([get('/'), get('/'), get('/private/x')])
      },
    )
    expect(asked).toBe(1)
  })

  it('fetches any page of a site whose robots.txt redirects endlessly', async () => {
    const circle = byPath({
      '/robots.txt': (_, reply) => reply.writeHead(302, { location: '/robots.txt' }).end(),
      '/': 'home',
    })
    expect(textOf(await web(circle, (get) => get('/')))).toBe('home')
  })
})

describe('a hostile site', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const endless = (reply: ServerResponse, chunk: string, pause: number): void => {
    const timer = setInterval(() => reply.write(chunk), pause)
    reply.on('close', () => clearInterval(timer))
  }

  it.each([
    ['gzip', bomb],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', gzipSync(bomb)],
    ['deflate', deflateSync(Buffer.alloc(50_000_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(50_000_000))],
  ])('a hostile site cannot fill the memory with a %s bomb', async (encoding, body) => {
    const page = byPath({ '/': (_, reply) => reply.setHeader('content-encoding', encoding).end(body) })
    const before = process.memoryUsage().arrayBuffers
    expect(await web(page, (get) => get('/'))).toMatchObject({
      outcome: 'refused',
      reason: 'the page is larger than 200000 bytes',
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })

  it('a hostile site cannot nest compression without limit', async () => {
    const page = byPath({ '/': (_, reply) => reply.setHeader('content-encoding', 'gzip, gzip, gzip').end(bomb) })
    expect(await web(page, (get) => get('/'))).toMatchObject({ outcome: 'refused' })
  })

  it('a hostile site cannot cause a request for a URL of a megabyte, by link or by redirect', async () => {
    const long = `/${'x'.repeat(1_000_000)}`
    const page = byPath({ '/': (_, reply) => reply.writeHead(302, { location: long.slice(0, 9000) }).end() })
    const refused = { outcome: 'refused', reason: 'the URL has more than 8000 characters' }
    expect(await web(page, (get) => get(long))).toMatchObject(refused)
    expect(await web(page, (get) => get('/'))).toMatchObject(refused)
  })

  it('a hostile site cannot redirect its robots.txt to an internal address', async () => {
    const page = byPath({
      '/robots.txt': (_, reply) => reply.writeHead(302, { location: 'http://169.254.169.254/robots.txt' }).end(),
    })
    expect(await web(page, (get) => get('/'))).toMatchObject({
      outcome: 'refused',
      reason: 'http://169.254.169.254 is not a public address; no request was sent',
    })
  })

  it('a hostile site cannot send an endless body', async () => {
    const page = byPath({ '/': (_, reply) => endless(reply, 'x'.repeat(20_000), 1) })
    expect(await web(page, (get) => get('/'))).toMatchObject({
      outcome: 'refused',
      reason: 'the page is larger than 200000 bytes',
    })
  })

  it.each([
    ['drips', (reply: ServerResponse) => endless(reply, 'x', 20)],
    ['answers nothing', () => {}],
    ['stops in the middle', (reply: ServerResponse) => void reply.write('half')],
  ])('a request times out if the site %s', async (_, answer) => {
    const page = byPath({ '/': (_request, reply) => answer(reply) })
    expect(await web(page, (get) => get('/'), { timeout_seconds: 0.4 })).toMatchObject({
      outcome: 'unavailable',
      reason: 'no complete response within 0.4 s',
    })
  })

  it('a hostile site cannot extend the timeout with redirects', async () => {
    let requests = 0
    const slow: RequestListener = (request, reply) => {
      if (request.url === '/robots.txt') return void reply.writeHead(404).end()
      requests += 1
      setTimeout(() => reply.writeHead(302, { location: `${request.url}x` }).end(), 150)
    }
    expect(await web(slow, (get) => get('/'), { timeout_seconds: 0.4, max_redirects: 50 })).toMatchObject({
      outcome: 'unavailable',
    })
    // Each response takes at least 0.15 s, so the third exceeds the timeout.
    expect(requests).toBeLessThanOrEqual(4)
  })

  it('treats a site as unavailable when it closes the connection early, sends a wrong encoding or does not speak HTTP', async () => {
    const page = byPath({
      '/cut': (_, reply) => reply.writeHead(200, { 'content-length': '100' }).write('x', () => reply.destroy()),
      '/lie': (_, reply) => reply.setHeader('content-encoding', 'gzip').end('not packed'),
      '/raw': (_, reply) => reply.socket?.end('SSH-2.0-x\r\n'),
    })
    await web(page, async (get) => {
      for (const path of ['/cut', '/lie', '/raw']) expect(await get(path)).toMatchObject({ outcome: 'unavailable' })
    })
  })
})

describe('politeness', () => {
  it('reserves a rate limit slot for every request, including robots.txt and redirects', async () => {
    const events: string[] = []
    await using server = await serveWeb((request, reply) => {
      events.push(`${request.headers.host}${request.url}`)
      if (request.url === '/old') reply.writeHead(302, { location: 'http://b.example/new' }).end()
      else reply.writeHead(request.url === '/robots.txt' ? 404 : 200).end('x')
    })
    const hostRateLimit: HostRateLimit = {
      reserveSlot: async (host) => {
        events.push(`slot at ${host}`)
        return 0
      },
      pause: async () => undefined,
    }
    const settings = fetchingSettings({ connect_to: [server.connectTo], requests_per_second: 1 })
    await using fetcher = createFetcher(settings, { hostRateLimit })
    const { signal } = new AbortController()
    await fetcher.get('http://a.example/old', { signal })
    await fetcher.get('http://a.example/', { signal })
    expect(events).toEqual(
      ['a.example/robots.txt', 'a.example/old', 'b.example/robots.txt', 'b.example/new', 'a.example/'].flatMap(
        (request) => [`slot at ${request.slice(0, 9)}`, request],
      ),
    )
  })

  it.each([
    ['responds with Retry-After', 503, { 'retry-after': '3600' }, 3600],
    ['responds with 429', 429, {}, 60],
  ])('pauses requests to a host that %s', async (_, status, headers, seconds) => {
    let asked = 0
    await using server = await serveWeb((request, reply) => {
      if (request.url !== '/robots.txt') asked++
      reply.writeHead(request.url === '/robots.txt' ? 404 : status, headers).end()
    })
    const settings = fetchingSettings({ connect_to: [server.connectTo], requests_per_second: 1 })
    await using fetcher = createFetcher(settings, {
      hostRateLimit: new LocalHostRateLimit(() => 0),
      wait: async () => undefined,
    })
    const { signal } = new AbortController()
    expect(await fetcher.get('http://a.example/', { signal })).toMatchObject({ outcome: 'unavailable' })
    expect(await fetcher.get('http://a.example/more', { signal })).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(new RegExp(`accepts no requests for another ${seconds} s`)),
    })
    expect(asked).toBe(1)
  })

  it('aborts a page fetch with its caller', async () => {
    await using server = await serveWeb(() => {})
    await using fetcher = createFetcher(fetchingSettings({ connect_to: [server.connectTo], timeout_seconds: 30 }))
    const stop = new AbortController()
    const getting = fetcher.get('http://acme.example/', { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(getting).rejects.toThrow('enough')
  })
})
