import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createFetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import type { EnrichmentSettings } from '../../../../src/enrichment/providers/deps.ts'
import { createNewsProvider } from '../../../../src/enrichment/providers/news.ts'
import type { ProviderRequest } from '../../../../src/findings/provider.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import { byPath, enrichmentSettings, fetchingSettings, serveWeb } from '../../../helpers/web-server.ts'

const usual = enrichmentSettings().news
const gdelt = (over = {}): EnrichmentSettings['news'] => ({
  feeds: [],
  gdelt: { ...usual.gdelt, enabled: true, ...over },
})
const request = (over: Partial<ProviderRequest> = {}): ProviderRequest => ({
  domain: 'quillmark.example',
  known: { name: 'Quillmark, Inc.' },
  groups: new Set(['signals']),
  maxPeople: 5,
  maxArticles: 10,
  clock: { now: () => new Date('2026-11-20T12:00:00Z') },
  signal: AbortSignal.timeout(20_000),
  log: silentLog,
  ...over,
})

/** Runs the provider with a separate web server; `at` sets the clock. */
async function withNews<T>(
  listener: RequestListener,
  news: EnrichmentSettings['news'],
  run: (
    find: (over?: Partial<ProviderRequest>) => ReturnType<NonNullable<ReturnType<typeof createNewsProvider>>['find']>,
    at: { now: number },
  ) => Promise<T>,
): Promise<T> {
  await using web = await serveWeb(listener)
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [web.connectTo] }))
  const at = { now: Date.parse('2026-11-20T12:00:00Z') }
  const provider = createNewsProvider({
    fetcher,
    settings: enrichmentSettings({ news }),
    receivesMail: async () => null,
    clock: { now: () => new Date(at.now) },
  })
  if (!provider) throw new Error('no provider')
  return await run((over) => provider.find(request(over)), at)
}

const articles = (...titles: [string, string][]) =>
  JSON.stringify({
    articles: titles.map(([title, seendate], index) => ({
      url: `https://press${index}.example/a`,
      title,
      seendate,
      domain: 'press.example',
      language: 'English',
    })),
  })

test('the news provider is disabled by default', () => {
  const settings = enrichmentSettings()
  const fetcher = createFetcher(fetchingSettings())
  expect(
    createNewsProvider({ fetcher, settings, receivesMail: async () => null, clock: { now: () => new Date() } }),
  ).toBeNull()
})

describe('GDELT', () => {
  test('searches GDELT for the quoted name and returns each story once', async () => {
    const asked: URLSearchParams[] = []
    const listener = byPath({
      '/api/v2/doc/doc': (incoming, reply) => {
        asked.push(new URL(incoming.url ?? '', 'http://gdelt.example').searchParams)
        reply
          .setHeader('content-type', 'application/json')
          .end(
            articles(
              ['Quillmark raises $ 40M Series B led by Harrow Peak', '20261103T101500Z'],
              ['Contract startup Quillmark closes $ 40M round', '20261104T080000Z'],
              ['Former Quillmark CFO joins Tabbed as finance chief', '20261101T080000Z'],
              ['Quillmark opens office in Leeds', '20261010T080000Z'],
            ),
          )
      },
    })
    await withNews(listener, gdelt(), async (find) => {
      const { status, signals } = await find()
      expect(status).toBe('found')
      expect(
        signals.map(({ type, headline, date, method, source }) => ({ type, headline, date, method, source })),
      ).toEqual([
        {
          type: 'Funding',
          headline: expect.stringContaining('Quillmark') as string,
          date: '2026-11-03',
          method: 'gdelt',
          source: 'news',
        },
        {
          type: 'Expansion',
          headline: 'Quillmark opens office in Leeds',
          date: '2026-10-10',
          method: 'gdelt',
          source: 'news',
        },
      ])
      expect(signals.every(({ confidence }) => confidence > 0.4 && confidence < 1)).toBe(true)
      expect(asked[0]?.get('query')).toBe('"Quillmark, Inc."')
      expect(asked[0]?.get('maxrecords')).toBe('10')
    })
  })

  test('sends GDELT no request for 15 minutes after three failures', async () => {
    let calls = 0
    const listener = byPath({
      '/api/v2/doc/doc': (_, reply) => {
        calls += 1
        if (calls <= 3) reply.writeHead(503).end()
        else reply.end('{}')
      },
    })
    await withNews(listener, gdelt(), async (find, at) => {
      for (let attempt = 0; attempt < 5; attempt += 1) expect((await find()).status).toBe('unavailable')
      expect(calls).toBe(3)
      at.now += 16 * 60_000
      expect(await find()).toMatchObject({ status: 'not_found', signals: [] })
      expect(calls).toBe(4)
    })
  })

  test("obeys GDELT's Retry-After immediately", async () => {
    let calls = 0
    const listener = byPath({
      '/api/v2/doc/doc': (_, reply) => {
        calls += 1
        reply.writeHead(429, { 'retry-after': '3600' }).end('Please limit requests to one every 5 seconds')
      },
    })
    await withNews(listener, gdelt(), async (find, at) => {
      expect((await find()).status).toBe('unavailable')
      at.now += 30 * 60_000
      expect(await find()).toMatchObject({
        status: 'unavailable',
        reason: expect.stringContaining('30 minutes') as string,
      })
      expect(calls).toBe(1)
    })
  })

  test('treats a plain-text error from GDELT with status 200 as unavailable', async () => {
    const listener = byPath({ '/api/v2/doc/doc': 'The specified phrase is too short.' })
    await withNews(listener, gdelt(), async (find) => {
      expect(await find()).toMatchObject({ status: 'unavailable', reason: 'GDELT: The specified phrase is too short.' })
    })
  })

  test('sends GDELT one request at a time, with the minimum interval between requests', async () => {
    const times: number[] = []
    let inFlight = 0
    let most = 0
    const listener = byPath({
      '/api/v2/doc/doc': (_, reply) => {
        inFlight += 1
        most = Math.max(most, inFlight)
        times.push(performance.now())
        setTimeout(() => {
          inFlight -= 1
          reply.end('{}')
        }, 30)
      },
    })
    await withNews(listener, gdelt({ interval_seconds: 0.3 }), async (find) => {
      const started = performance.now()
      await Promise.all([find(), find(), find()])
      // Times are measured from the start, because a slow machine can only delay an arrival.
      expect(times.map((time, index) => time - started >= index * 300 - 20)).toEqual([true, true, true])
      expect(most).toBe(1)
    })
  })

  test('rejects a queued GDELT search when its caller aborts', async () => {
    const listener = byPath({ '/api/v2/doc/doc': '{}' })
    await withNews(listener, gdelt({ interval_seconds: 30 }), async (find) => {
      await find()
      const waiting = find({ signal: AbortSignal.timeout(100) })
      await expect(waiting).rejects.toThrow()
    })
  })
})

describe('feeds', () => {
  const feeds = ['http://search.example/rss?q={name}&site={domain}']

  test('fills name and domain into the URL of a news feed and reads the feed', async () => {
    let asked = ''
    const item =
      '<item><title>Quillmark names Ana Bell chief executive</title><link>https://press.example/1</link><pubDate>3 Nov 2026</pubDate></item>'
    const listener = byPath({
      '/rss': (incoming, reply) => {
        asked = decodeURIComponent(incoming.url ?? '')
        reply
          .setHeader('content-type', 'application/rss+xml')
          .end(`<rss version="2.0"><channel>${item}</channel></rss>`)
      },
    })
    await withNews(listener, { ...usual, feeds }, async (find) => {
      const { signals } = await find()
      expect(signals).toMatchObject([
        { type: 'Leadership Change', date: '2026-11-03', about: 'name in the headline', method: 'rss' },
      ])
      expect(asked).toBe('/rss?q="Quillmark, Inc."&site=quillmark.example')
    })
  })

  test('returns signals of one news source while another is down', async () => {
    const listener = byPath({
      '/rss': (_, reply) => void reply.writeHead(500).end(),
      '/api/v2/doc/doc': (_, reply) => void reply.end(articles(['Quillmark raises $40M Series B', '20261103T101500Z'])),
    })
    await withNews(listener, { ...gdelt(), feeds }, async (find) => {
      const { status, reason, signals } = await find()
      expect(status).toBe('found')
      expect(signals).toHaveLength(1)
      expect(reason).toContain('search.example')
    })
  })

  test('reports a response that is not a news feed', async () => {
    await withNews(
      byPath({ '/rss': '<html><body>Consent, please</body></html>' }),
      { ...usual, feeds },
      async (find) => {
        expect(await find()).toMatchObject({
          status: 'unavailable',
          reason: 'search.example: the response is not a feed',
        })
      },
    )
  })
})

test('the news provider sends no request without a company name', async () => {
  await withNews(byPath({}), gdelt(), async (find) => {
    expect(await find({ known: {} })).toMatchObject({ status: 'not_found', signals: [] })
  })
})
