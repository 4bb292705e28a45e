import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { Fetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import { createFetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import { createWebsiteProvider } from '../../../../src/enrichment/providers/website.ts'
import type { Renderer } from '../../../../src/enrichment/rendering/renderer.ts'
import { createRenderer } from '../../../../src/enrichment/rendering/renderer.ts'
import type { RenderingSettings } from '../../../../src/enrichment/rendering/settings.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import { CHROMIUM } from '../../../helpers/browser.ts'
import type { Answer } from '../../../helpers/web-server.ts'
import {
  byPath,
  enrichmentSettings,
  fetchingSettings,
  renderingSettings,
  serveWeb,
} from '../../../helpers/web-server.ts'

const TIMEOUT_MS = 240_000
const { signal: never } = new AbortController()
const shell = (script: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Acme Capital</title>${head}</head><body><div id="app"></div>${script}</body></html>`
const drawn = shell('<script src="/app.js"></script>')
const script =
  (code: string): Answer =>
  (_, reply) =>
    void reply.setHeader('content-type', 'text/javascript').end(code)
const json =
  (data: unknown): Answer =>
  (_, reply) =>
    void reply.setHeader('content-type', 'application/json').end(JSON.stringify(data))

/** A site on which scripts draw the menu, the people and the facts, after loading the people from `/api/people`. */
const APP = `
const app = document.getElementById('app')
if (location.pathname === '/team')
  fetch('/api/people').then((reply) => reply.json()).then(({ rows }) => {
    app.innerHTML = '<h1>Our team</h1>' + rows.map(([a, b, c]) => '<div class=card><h3>' + a + ' ' + b + '</h3><p>' + c + '</p></div>').join('')
  })
else
  app.innerHTML = '<nav><a href="/team">Our team</a></nav><h1>Acme Capital</h1><p>Acme Capital was founded in 1987. We are a team of 45 people.</p><p>Acme Capital LLC, 12 Main Street, Denver, CO 80202. Tel. +1 303 555 0142</p>'`
const SITE: Record<string, Answer | string> = {
  '/': drawn,
  '/team': drawn,
  '/app.js': script(APP),
  '/api/people': json({
    rows: [
      ['Jane', 'Miller', 'Chief Executive Officer'],
      ['Robert', 'Stone', 'Partner'],
      ['Clara', 'Fields', 'Chief Financial Officer'],
    ],
  }),
}

async function enrich(site: Record<string, Answer | string>, over: Partial<RenderingSettings> = {}) {
  const requests: string[] = []
  const hosts = new Set<string>()
  const answer = byPath(site)
  await using web = await serveWeb((request, reply) => {
    requests.push(request.url ?? '')
    hosts.add(String(request.headers.host))
    answer(request, reply)
  })
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [web.connectTo] }))
  const settings = renderingSettings({ executable: CHROMIUM ?? '', ...over })
  await using renderer =
    settings.engine === 'none' ? null : createRenderer(settings, { fetcher, maxPageBytes: 200_000, log: silentLog })
  return { ...(await findOn('acme.example', { fetcher, renderer })), requests, hosts }
}

interface FindDeps {
  fetcher: Fetcher
  renderer: Renderer | null
  pages?: number
}

function findOn(domain: string, { fetcher, renderer, pages = 12 }: FindDeps) {
  const provider = createWebsiteProvider({
    fetcher,
    settings: enrichmentSettings({ crawl: { pages_per_company: pages } }),
    receivesMail: async () => null,
    clock: systemClock,
    renderer,
  })
  return provider.find({
    domain,
    known: {},
    groups: new Set(['company', 'leadership']),
    maxPeople: 25,
    maxArticles: 10,
    clock: systemClock,
    signal: never,
    log: silentLog,
  })
}

const fieldOf = ({ observations }: Awaited<ReturnType<typeof enrich>>, name: string) =>
  observations.find(({ field }) => field === name)?.value
const profiles = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('talhouse-render-'))

/** Counts connections and datagrams that bypass the worker's fetcher. */
async function listenForLeaks() {
  let leaks = 0
  const tcp = createServer((socket) => {
    leaks += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const udp = createSocket('udp4', () => {
    leaks += 1
  })
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  return {
    tcp: (tcp.address() as AddressInfo).port,
    udp: udp.address().port,
    count: () => leaks,
    async [Symbol.asyncDispose]() {
      udp.close()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}

describe.skipIf(!CHROMIUM)('the renderer', () => {
  it('finds people and facts that only scripts draw', { timeout: TIMEOUT_MS }, async () => {
    const without = await enrich(SITE, { engine: 'none' })
    expect(without.people).toEqual([])
    expect(fieldOf(without, 'founded_year')).toBeUndefined()
    expect(without.requests).not.toContain('/app.js')

    const rendered = await enrich(SITE)
    expect(rendered.people.map(({ full_name, title }) => [full_name, title])).toEqual([
      ['Jane Miller', 'Chief Executive Officer'],
      ['Clara Fields', 'Chief Financial Officer'],
      ['Robert Stone', 'Partner'],
    ])
    expect(fieldOf(rendered, 'founded_year')).toBe(1987)
    expect(fieldOf(rendered, 'phone')).toBe('+13035550142')
    // Documents are not requested again, and both pages use one copy of the script.
    for (const path of ['/', '/team', '/app.js', '/api/people'])
      expect([path, rendered.requests.filter((url) => url === path).length]).toEqual([path, 1])
    expect(profiles()).toEqual([])
  })

  it('requests no page or data that robots.txt disallows', { timeout: TIMEOUT_MS }, async () => {
    const robots: Answer = (_, reply) => void reply.end('User-agent: *\nDisallow: /api/\n')
    const rendered = await enrich({ ...SITE, '/robots.txt': robots })
    expect(rendered.people).toEqual([])
    expect(fieldOf(rendered, 'founded_year')).toBe(1987)
    expect(rendered.requests).not.toContain('/api/people')
  })

  it('limits the pages and requests of a company', { timeout: TIMEOUT_MS }, async () => {
    const storm = `${APP}\nfor (let n = 0; n < 300; n++) fetch('/api/data?' + n).catch(() => {})`
    const rendered = await enrich(
      { ...SITE, '/app.js': script(storm) },
      { pages_per_company: 1, requests_per_company: 5 },
    )
    expect(fieldOf(rendered, 'founded_year')).toBe(1987)
    expect(rendered.people).toEqual([])
    expect(rendered.requests.filter((url) => /^\/(?:app|api)/.test(url))).toHaveLength(5)
  })

  it('sends the requests of rendered pages at the rate limit of each host', { timeout: TIMEOUT_MS }, async () => {
    const times = new Map<string, number[]>()
    const answer = byPath({
      ...SITE,
      '/': shell(
        Array.from({ length: 6 }, (_, n) => `<script async src="http://cdn.example/${n}.js"></script>`).join('') +
          `<script>for (let n = 0; n < 30; n++) fetch('/api/people?' + n).catch(() => {})</script>` +
          '<script src="/app.js"></script>',
      ),
    })
    await using web = await serveWeb((request, reply) => {
      const host = request.headers.host ?? ''
      times.set(host, [...(times.get(host) ?? []), performance.now()])
      answer(request, reply)
    })
    await using fetcher = createFetcher(fetchingSettings({ connect_to: [web.connectTo], requests_per_second: 10 }))
    const settings = renderingSettings({ executable: CHROMIUM ?? '', requests_per_company: 20 })
    await using renderer = createRenderer(settings, { fetcher, maxPageBytes: 200_000, log: silentLog })
    await findOn('acme.example', { fetcher, renderer, pages: 2 })
    expect([...times.keys()].toSorted()).toEqual(['acme.example', 'cdn.example'])
    const counts = [...times.values()].map(({ length }) => length)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(12)
    // The limit of requests, the pages, and robots.txt, the sitemap and the feeds.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20 + 2 + 3)
    // Slots are 100 ms apart. A late arrival can shorten one gap, but not the total time.
    for (const [host, all] of times)
      expect([host, (all.at(-1) ?? 0) - (all[0] ?? 0) >= (all.length - 2) * 100]).toEqual([host, true])
  })

  it('loads scripts, but no data, images or styles, from other sites', { timeout: TIMEOUT_MS }, async () => {
    const head = `<link rel="stylesheet" href="/style.css"><link rel="preload" as="image" href="/preload.png">
      <link rel="prefetch" href="/prefetch.js"><link rel="preconnect" href="http://preconnect.example">`
    const other = `
      fetch('http://data.example/people.json').catch(() => {})
      fetch('/post', { method: 'POST', body: 'x' }).catch(() => {})
      new Image().src = '/pixel.png'
      document.getElementById('app').innerHTML = '<h1>Acme Capital</h1><p>Acme Capital was founded in 1987.</p>'`
    const rendered = await enrich({
      '/': shell('<script src="http://scripts.example/other.js"></script>', head),
      '/other.js': script(other),
    })
    expect(fieldOf(rendered, 'founded_year')).toBe(1987)
    expect(rendered.hosts).toEqual(new Set(['acme.example', 'scripts.example']))
    for (const path of ['/style.css', '/preload.png', '/prefetch.js', '/pixel.png', '/post', '/people.json'])
      expect(rendered.requests).not.toContain(path)
  })

  const HOSTILE: [name: string, code: (ports: { tcp: number; udp: number }) => string][] = [
    ['runs an endless loop', () => 'for (;;) {}'],
    ['opens dialogs in an endless loop', () => "for (;;) alert('x')"],
    [
      'logs in an endless loop',
      () => "setInterval(() => { for (let n = 0; n < 1e5; n++) console.log('x'.repeat(1000)) })",
    ],
    ['allocates gigabytes', () => 'const all = []; setInterval(() => all.push(new Uint8Array(2e8).fill(1)), 10)'],
    ['draws without end', () => "for (;;) document.body.append(document.createElement('p'), 'x'.repeat(1000))"],
    [
      'replaces functions',
      () =>
        "String.prototype.slice = () => 'x'.repeat(1e8); Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'x'.repeat(1e8) })",
    ],
    ['requests without end', () => "setInterval(() => fetch('/api/people?' + Math.random()).catch(() => {}), 1)"],
    [
      'opens windows',
      ({ tcp }) => `setInterval(() => { open('http://127.0.0.1:${tcp}/'); document.createElement('a').click() }, 1)`,
    ],
    ['navigates', ({ tcp }) => `location.href = 'http://127.0.0.1:${tcp}/'`],
    [
      'requests private addresses',
      ({ tcp, udp }) => `
        const target = '127.0.0.1:${tcp}'
        for (const url of ['http://' + target + '/x.json', 'http://169.254.169.254/latest', 'file:///etc/passwd',
          'http://localhost:${tcp}/', 'http://[::1]:${tcp}/', 'http://[::ffff:127.0.0.1]:${tcp}/']) {
          fetch(url, { mode: 'no-cors' }).catch(() => {})
          fetch('/api/inside').catch(() => {})
          navigator.sendBeacon?.(url)
          try { new WebSocket(url.replace('http', 'ws')) } catch {}
          try { new EventSource(url) } catch {}
          try { new Image().src = url } catch {}
          try { new Worker(URL.createObjectURL(new Blob(['fetch("' + url + '", { mode: "no-cors" })']))) } catch {}
          try { new SharedWorker('data:text/javascript,fetch("' + url + '",{mode:"no-cors"})') } catch {}
          for (const html of ['<script src="' + url + '"></scr' + 'ipt>', '<iframe src="' + url + '"></iframe>',
            '<link rel=preconnect href="' + url + '"><link rel=dns-prefetch href="' + url + '">',
            '<link rel=prerender href="' + url + '"><link rel=manifest href="' + url + '">',
            '<object data="' + url + '"></object><embed src="' + url + '"><video src="' + url + '"></video>'])
            document.body.append(document.createRange().createContextualFragment(html))
        }
        const frame = document.body.appendChild(document.createElement('iframe'))
        for (const scope of [window, frame.contentWindow]) {
          try { new scope.WebSocket('ws://' + target) } catch {}
          try {
            const peer = new scope.RTCPeerConnection({ iceServers: [{ urls: ['stun:127.0.0.1:${udp}', 'turn:' + target + '?transport=tcp'], username: 'a', credential: 'b' }] })
            peer.createDataChannel('x')
            peer.createOffer().then((offer) => peer.setLocalDescription(offer))
          } catch {}
        }
        const form = document.body.appendChild(document.createElement('form'))
        form.action = 'http://' + target; form.method = 'post'; form.target = '_blank'; form.submit()`,
    ],
  ]

  it.each(HOSTILE)('bounds a page that %s', { timeout: TIMEOUT_MS }, async (_, code) => {
    await using listener = await listenForLeaks()
    const inside: Answer = (_, reply) =>
      void reply.writeHead(302, { location: `http://127.0.0.1:${listener.tcp}/` }).end()
    const site = { ...SITE, '/app.js': script(`${APP}\n${code(listener)}`), '/api/inside': inside }
    const started = performance.now()
    const found = await enrich(site, { seconds: 20, megabytes: 700, pages_per_company: 1, requests_per_company: 20 })
    // Rendering stops after 20 seconds; the rest of the crawl takes a moment.
    expect((performance.now() - started) / 1000).toBeLessThan(60)
    expect(found.status).not.toBe('unavailable')
    expect(fieldOf(found, 'name') ?? 'Acme Capital').toBe('Acme Capital')
    expect(found.requests).toContain('/app.js')
    expect(listener.count()).toBe(0)
    expect(found.requests.filter((url) => /^\/(?:app|api)/.test(url)).length).toBeLessThanOrEqual(20)
    expect(profiles()).toEqual([])
  })
})

it('names the missing Chromium', () => {
  const settings = renderingSettings({ executable: '/nowhere/chromium' })
  const fetcher = createFetcher(fetchingSettings())
  expect(() => createRenderer(settings, { fetcher, maxPageBytes: 1000, log: silentLog })).toThrow(
    'enrichment.rendering.executable: /nowhere/chromium is not an executable file',
  )
})
