import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FetchingSettings } from '../../src/enrichment/fetching/settings.ts'
import type { EnrichmentSettings } from '../../src/enrichment/providers/deps.ts'
import type { RenderingSettings } from '../../src/enrichment/rendering/settings.ts'

export type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** A web server on a free loopback port for every `.example` host, with the matching connect_to rule. */
export async function serveWeb(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    connectTo: `*.example::127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns a handler that responds by path; other paths return 404. */
export const byPath =
  (answers: Record<string, Answer | string>): RequestListener =>
  (request, reply) => {
    const answer = answers[new URL(request.url ?? '/', 'http://any.example').pathname]
    if (typeof answer === 'string') reply.setHeader('content-type', 'text/html; charset=utf-8').end(answer)
    else if (answer) answer(request, reply)
    else reply.writeHead(404).end('not here')
  }

/** Settings for tests: no rate limit, short timeouts. */
export const fetchingSettings = (over: Partial<FetchingSettings> = {}): FetchingSettings => ({
  user_agent: 'talhouse/0.0',
  contact: 'mailto:owner@talhouse.example',
  connect_to: [],
  requests_per_second: 0,
  connections_per_host: 1,
  timeout_seconds: 2,
  max_bytes: 200_000,
  max_redirects: 5,
  ports: [80, 443],
  cache_bytes: 1_000_000,
  ...over,
})

/** Settings for tests: rendering is on. */
export const renderingSettings = (over: Partial<RenderingSettings> = {}): RenderingSettings => ({
  engine: 'chromium',
  executable: '',
  processes: 1,
  pages_per_company: 4,
  seconds: 60,
  requests_per_company: 40,
  max_bytes: 10_000_000,
  megabytes: 1024,
  ...over,
})

/** Settings for tests: every optional source is off. */
export const enrichmentSettings = (over: Partial<EnrichmentSettings> = {}): EnrichmentSettings => ({
  crawl: { pages_per_company: 12 },
  wikidata: { enabled: false, base_url: 'https://www.wikidata.example' },
  news: {
    gdelt: {
      enabled: false,
      base_url: 'http://gdelt.example/api/v2/doc/doc',
      timespan: '3months',
      interval_seconds: 0,
    },
    feeds: [],
  },
  second_opinion: { base_url: '', model: '', timeout_seconds: 2, max_stories: 10 },
  reader: { base_url: '', model: '', timeout_seconds: 2, max_pages: 3 },
  rendering: renderingSettings({ engine: 'none' }),
  ...over,
})
