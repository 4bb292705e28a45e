import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { HOSTILE_DATA } from './hostile-data.ts'
import { HOSTILE_PAGES } from './hostile-pages.ts'
import type { Answer } from './web-server.ts'
import { serveWeb } from './web-server.ts'

/** The behavior of a site, by path. Other paths return 404. */
type Site = Record<string, Answer | string> | Answer

const html = (body: string, head = ''): string =>
  `<!doctype html><html><head><title>Hostile Ltd</title>${head}</head><body>${body}</body></html>`

/** Writes until the client disconnects, respecting backpressure. */
function endless(reply: ServerResponse, chunk: string, pause = 0): void {
  let timer: NodeJS.Timeout | undefined
  const write = (): void => {
    if (reply.destroyed) return
    const isTaken = reply.write(chunk)
    if (pause > 0) timer = setTimeout(write, pause)
    else if (isTaken) setImmediate(write)
    else reply.once('drain', write)
  }
  reply.on('close', () => clearTimeout(timer))
  write()
}

const compressed =
  (encoding: string, body: Buffer): Answer =>
  (_, reply) =>
    void reply.setHeader('content-type', 'text/html').setHeader('content-encoding', encoding).end(body)
const redirect =
  (to: (request: IncomingMessage) => string): Answer =>
  (request, reply) =>
    void reply.writeHead(302, { location: to(request) }).end()
const xml =
  (body: string): Answer =>
  (_, reply) =>
    void reply.setHeader('content-type', 'application/xml').end(body)

const zeros = Buffer.alloc(100_000_000)
const repeat = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)
const entities = Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(12)}">`).join(
  '',
)
let redirects = 0

/** Attacks on a crawler, by site name. */
export const HOSTILE_SITES: Readonly<Record<string, Site>> = {
  'gzip-bomb': { '/': compressed('gzip', gzipSync(zeros)) },
  'brotli-bomb': { '/': compressed('br', brotliCompressSync(zeros)) },
  'bomb-in-a-bomb': { '/': compressed('gzip, gzip', gzipSync(gzipSync(zeros))) },
  'compressed-many-times': { '/': compressed('gzip, gzip, gzip, gzip, gzip', gzipSync('x')) },
  'endless-redirects': redirect(() => `/${++redirects}`),
  'redirects-in-a-circle': redirect(({ headers }) => `http://${String(headers.host).replace('circle', 'round')}/`),
  'redirects-in-a-round': redirect(({ headers }) => `http://${String(headers.host).replace('round', 'circle')}/`),
  'redirect-inside': { '/': redirect(() => 'http://169.254.169.254/latest/meta-data/') },
  'endless-body': { '/': (_, reply) => endless(reply, 'x'.repeat(60_000)) },
  'slow-drip': { '/': (_, reply) => endless(reply, 'x', 50) },
  'endless-headers': (request) => {
    const { socket } = request
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write(`x-${'y'.repeat(1000)}: z\r\n`), 1)
    socket.on('close', () => clearInterval(timer))
  },
  'headers-in-drops': (request) => {
    const { socket } = request
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
    const timer = setInterval(() => socket.write('y'), 50)
    socket.on('close', () => clearInterval(timer))
  },
  'no-answer': () => {},
  'closes-at-once': (request) => void request.socket.destroy(),
  'other-protocol': (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'length-that-lies': {
    '/': (_, reply) => void reply.writeHead(200, { 'content-length': '1000000' }).write('x', () => reply.destroy()),
  },
  'robots-of-a-gigabyte': {
    '/robots.txt': (_, reply) => endless(reply, `Disallow: /${'x'.repeat(90)}\n`.repeat(600)),
    '/': html('<h1>Hello</h1>'),
  },
  'robots-of-wildcards': {
    '/robots.txt': (_, reply) => void reply.end(`User-agent: *\nDisallow: /${'*a'.repeat(2000)}$\n`.repeat(100)),
    '/': html(`<a href="/about/${'a'.repeat(1500)}">About</a>`),
  },
  'robots-in-drops': { '/robots.txt': (_, reply) => endless(reply, '#', 50) },
  'sitemap-in-a-circle': {
    '/robots.txt': (request, reply) => void reply.end(`Sitemap: http://${request.headers.host}/sitemap.xml`),
    '/': html('<h1>Hello</h1>'),
    '/sitemap.xml': (request, reply) =>
      xml(`<sitemapindex><sitemap><loc>http://${request.headers.host}/sitemap.xml</loc></sitemap></sitemapindex>`)(
        request,
        reply,
      ),
  },
  'sitemap-without-end': {
    '/': html('<h1>Hello</h1>'),
    '/sitemap.xml': (_, reply) =>
      endless(reply.setHeader('content-type', 'application/xml'), '<url><loc>/x</loc></url>'),
  },
  'ten-thousand-links': {
    '/': html(Array.from({ length: 10_000 }, (_, n) => `<a href="/team/${n}">Our team</a>`).join('')),
  },
  'deep-as-a-well': { '/': html(`${'<div>'.repeat(200_000)}deep`) },
  'deep-in-lists': { '/': html(`${'<ul><li>'.repeat(50_000)}deep`) },
  'deep-json-ld': {
    '/': html('', `<script type="application/ld+json">${'[{"@graph":'.repeat(100_000)}</script>`),
  },
  'one-long-word': { '/': html(`<p>${repeat('a', 2_000_000)}</p>`) },
  'one-long-line-of-names': { '/': html(`<h1>Team</h1><p>${repeat('Ada B. Candlewright, ', 1_000_000)}</p>`) },
  'all-at-signs': { '/': html(`<p>${repeat('a@a.', 1_000_000)}</p>`) },
  'all-digits': { '/': html(`<p>${repeat('+1 (0) 2-', 1_000_000)}</p>`) },
  'all-blanks': { '/': html(`<p>${repeat(' \n\t', 2_000_000)}x</p>`) },
  'all-brackets': { '/': html(repeat('<<a <', 1_000_000)) },
  'elements-without-end': { '/': html(repeat('<b>x</b>', 4_900_000)) },
  'attributes-without-end': {
    '/': html(`<div ${Array.from({ length: 300_000 }, (_, n) => `a${n}="b"`).join(' ')}>x</div>`),
  },
  'one-giant-attribute': { '/': html(`<a href="/about" title="${repeat('about us ', 4_000_000)}">x</a>`) },
  'link-of-a-megabyte': { '/': html(`<a href="/about/${repeat('a', 1_000_000)}">About</a>`) },
  'thousands-of-organisations': {
    '/': html(
      '',
      `<script type="application/ld+json">[${Array.from({ length: 20_000 }, (_, n) => `{"@type":"Organization","name":"Acme ${n}","telephone":"${n}"}`).join(',')}]</script>`,
    ),
  },
  'open-comments': { '/': html(repeat('<!--', 1_000_000)) },
  'thousands-of-cards': {
    '/': html('<nav><a href="/team">Team</a></nav>'),
    '/team': html(
      Array.from({ length: 20_000 }, (_, n) => `<div class="card"><h3>Ada Candle${n}</h3><p>Partner</p></div>`).join(
        '',
      ),
    ),
  },
  'entities-that-explode': {
    '/': html('', '<link rel="alternate" type="application/rss+xml" href="/feed">'),
    '/feed': xml(`<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "ha">${entities}]><rss><channel>&l12;</channel></rss>`),
  },
  'feed-without-end': {
    '/': html('', '<link rel="alternate" type="application/rss+xml" href="/feed">'),
    '/feed': (_, reply) => {
      reply.setHeader('content-type', 'application/rss+xml').write('<rss version="2.0"><channel>')
      endless(reply, '<item><title>Acme opens an office</title></item>'.repeat(500))
    },
  },
  'feed-of-fifty-thousand': {
    '/': html('', '<link rel="alternate" type="application/rss+xml" href="/feed">'),
    '/feed': xml(
      `<rss version="2.0"><channel>${'<item><title>Acme opens an office</title><link>/x</link></item>'.repeat(50_000)}</channel></rss>`,
    ),
  },
  'unavailable-after-home': afterHome(503, '3600'),
  'rate-limited-after-home': afterHome(429, '3600'),
  ...HOSTILE_DATA,
  ...HOSTILE_PAGES,
}

function afterHome(status: number, retryAfter: string): Site {
  return (request, reply) => {
    if (request.url === '/robots.txt') reply.writeHead(404).end()
    else if (request.url === '/')
      reply.setHeader('content-type', 'text/html').end(html('<a href="/about">About</a><a href="/team">Team</a>'))
    else reply.writeHead(status, { 'retry-after': retryAfter }).end()
  }
}

export const INSIDE = 'inside'

/**
 * Serves all hostile sites on one free loopback port as `NAME.example` and counts requests by site. Requests to the
 * loopback address itself, which the SSRF guard must prevent, are counted under `INSIDE`.
 */
export async function serveHostileWeb() {
  const requests = new Map<string, number>()
  const server = await serveWeb((request, reply) => {
    const { host = '' } = request.headers
    const name = /\.example(?::\d+)?$/.test(host) ? (host.split('.').find((label) => label !== 'www') ?? '') : INSIDE
    requests.set(name, (requests.get(name) ?? 0) + 1)
    const site = HOSTILE_SITES[name] ?? {}
    const answer = typeof site === 'function' ? site : site[request.url ?? '/']
    if (typeof answer === 'function') answer(request, reply)
    else if (answer === undefined) reply.writeHead(404).end('not here')
    else reply.setHeader('content-type', 'text/html; charset=utf-8').end(answer)
  })
  return { ...server, requests, domains: Object.keys(HOSTILE_SITES).map((name) => `${name}.example`) }
}
