import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createFetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import { createWikidataProvider } from '../../../../src/enrichment/providers/wikidata.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import { enrichmentSettings, fetchingSettings, serveWeb } from '../../../helpers/web-server.ts'

const value = (data: unknown, qualifiers: Record<string, unknown> = {}, rank = 'normal') => ({
  rank,
  mainsnak: { snaktype: 'value', datavalue: { value: data } },
  qualifiers: Object.fromEntries(
    Object.entries(qualifiers).map(([property, one]) => [property, [{ snaktype: 'value', datavalue: { value: one } }]]),
  ),
})
const item = (id: string) => ({ 'entity-type': 'item', id })
const time = (year: number) => ({ time: `+${year}-00-00T00:00:00Z`, precision: 9 })
const label = (text: string) => ({ en: { language: 'en', value: text } })

const ACME = {
  id: 'Q101',
  labels: label('Acme Capital'),
  claims: {
    P856: [value('https://www.acme.example/')],
    P1128: [
      value({ amount: '+80', unit: '1' }, { P585: time(2012) }),
      value({ amount: '+120', unit: '1' }, { P585: time(2024) }),
      value({ amount: '+9999', unit: '1' }, {}, 'deprecated'),
    ],
    P452: [value(item('Q1')), value(item('Q9'), { P582: time(2001) })],
    P159: [value(item('Q2'), { P17: item('Q3'), P6375: { text: '1 Paper Boat Quay', language: 'en' }, P281: '8001' })],
    P571: [value(time(1998))],
    P1448: [value({ text: 'Acme Capital AG', language: 'de' })],
    P154: [value('Acme logo.svg')],
    P4264: [value('Acme-Capital')],
  },
}
const LABELS: Record<string, string> = { Q1: 'asset management', Q2: 'Zürich', Q3: 'Switzerland' }

/** A Wikibase with the parts of the action API that talhouse uses. It counts requests. */
function wikibase(entities: (typeof ACME)[], asked: URLSearchParams[]) {
  return (request: IncomingMessage, reply: ServerResponse): void => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://wikidata.example')
    asked.push(query)
    const json = (body: unknown) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (query.get('list') === 'search') {
      const wanted = (query.get('srsearch') ?? '').replace('haswbstatement:', '').split('|')
      const hits = entities.filter(({ claims }) => wanted.includes(`P856=${claims.P856[0]?.mainsnak.datavalue.value}`))
      return void json({ query: { search: hits.map(({ id }) => ({ title: id })) } })
    }
    const ids = (query.get('ids') ?? '').split('|')
    json({
      entities: Object.fromEntries(
        ids.map((id) => [id, entities.find((entity) => entity.id === id) ?? { id, labels: label(LABELS[id] ?? id) }]),
      ),
    })
  }
}

async function ask(
  listener: (request: IncomingMessage, reply: ServerResponse) => void,
  domains: string[],
  clock = { now: () => new Date() },
) {
  await using server = await serveWeb(listener)
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [server.connectTo] }))
  const settings = enrichmentSettings({ wikidata: { enabled: true, base_url: 'http://wikidata.example' } })
  const provider = createWikidataProvider({ fetcher, settings, clock, receivesMail: async () => null })
  const { signal } = new AbortController()
  const found = []
  for (const domain of domains)
    found.push(
      await provider!.find({
        domain,
        known: {},
        groups: new Set(['company']),
        maxPeople: 5,
        maxArticles: 5,
        clock: systemClock,
        signal,
        log: silentLog,
      }),
    )
  return found
}

describe('the Wikidata provider', () => {
  it('finds a company in Wikidata by its official website and returns its current values', async () => {
    const asked: URLSearchParams[] = []
    const [findings] = await ask(wikibase([ACME], asked), ['acme.example'])
    expect(findings).toMatchObject({ status: 'found', reason: null })
    expect(Object.fromEntries(findings!.observations.map(({ field, value: found }) => [field, found]))).toEqual({
      name: 'Acme Capital',
      legal_name: 'Acme Capital AG',
      industry: 'asset management',
      employee_count: 120,
      employee_range: '51-200',
      headquarters_street: '1 Paper Boat Quay',
      headquarters_city: 'Zürich',
      headquarters_postal_code: '8001',
      headquarters_country: 'Switzerland',
      social_url: 'https://www.linkedin.com/company/acme-capital',
      logo_url: 'https://commons.wikimedia.org/wiki/Special:FilePath/Acme_logo.svg',
      founded_year: 1998,
    })
    expect(findings!.observations[0]).toMatchObject({
      source: 'wikidata',
      method: 'statement',
      url: 'http://wikidata.example/wiki/Q101',
    })
    expect(asked.map((query) => query.get('action'))).toEqual(['query', 'wbgetentities', 'wbgetentities'])
    expect(asked.every((query) => query.get('maxlag') === '5')).toBe(true)
  })

  it('requests each Wikidata label once', async () => {
    const asked: URLSearchParams[] = []
    await ask(wikibase([ACME], asked), ['acme.example', 'acme.example'])
    expect(asked.filter((query) => query.get('props') === 'labels')).toHaveLength(1)
  })

  it('returns not_found for a site that is unknown to Wikidata or shared by several entries', async () => {
    const twin = { ...ACME, id: 'Q102' }
    expect(await ask(wikibase([ACME, twin], []), ['unknown.example', 'acme.example'])).toMatchObject([
      { status: 'not_found', reason: 'no entry has this official website' },
      { status: 'not_found', reason: '2 entries have this official website' },
    ])
  })

  it("waits for Wikidata's Retry-After before the next request", async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    let asked = 0
    const busy = (_: IncomingMessage, reply: ServerResponse): void => {
      asked++
      reply.writeHead(429, { 'retry-after': '120' }).end()
    }
    const clock = {
      now: () => {
        now += 50_000
        return new Date(now)
      },
    }
    const found = await ask(busy, ['a.example', 'b.example', 'c.example', 'd.example'], clock)
    expect(found.map(({ status }) => status)).toEqual(['unavailable', 'unavailable', 'unavailable', 'unavailable'])
    expect(found[1]?.reason).toMatch('paused until 2026-01-01T00:02:50')
    expect(asked).toBe(2)
  })

  it('the Wikidata provider is disabled by default', async () => {
    await using fetcher = createFetcher(fetchingSettings())
    expect(
      createWikidataProvider({
        fetcher,
        settings: enrichmentSettings(),
        clock: { now: () => new Date() },
        receivesMail: async () => null,
      }),
    ).toBeNull()
  })
})
