import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import { createFetcher } from '../../../src/enrichment/fetching/fetcher.ts'
import { createWebsiteProvider } from '../../../src/enrichment/providers/website.ts'
import { gather } from '../../../src/findings/gather.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { testDatabase } from '../../helpers/database.ts'
import { record } from '../../helpers/findings.ts'
import { enrichmentSettings, fetchingSettings, serveWeb } from '../../helpers/web-server.ts'

/** Values that are valid in a site's JSON but cannot be stored in any column. */
const odd = fc.constantFrom<unknown>(
  'Acme\0Capital',
  'half a pair \ud83d Capital',
  'Long '.repeat(2_000),
  '0000-01-01',
  '99999',
  '2026-02-30T25:00:00Z',
  '',
  -1,
  2 ** 31,
  9e15,
  1e308,
  true,
  [],
  { '@type': 'Thing', name: { '@value': 'a\0' } },
  'mailto:a\0b@acme.example',
  'https://acme.example/\ud83d?\0',
)
const seldomOdd = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd })
const recordOf = (usual: Record<string, unknown>) =>
  fc
    .record(Object.fromEntries(Object.keys(usual).map((name) => [name, seldomOdd])))
    .map((fields) => Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, fields[name] ?? value])))
const organization = recordOf({
  name: 'Acme Capital',
  legalName: 'Acme Capital, LLC',
  description: 'Invests.',
  industry: 'Investment Management',
  numberOfEmployees: 40,
  telephone: '+1 617 555 0123',
  foundingDate: '1987',
  logo: '/logo.png',
  sameAs: 'https://www.linkedin.com/company/acme',
  address: {
    '@type': 'PostalAddress',
    streetAddress: '1 Main Street',
    addressLocality: 'Boston',
    addressRegion: 'MA',
    postalCode: '02110',
    addressCountry: 'US',
  },
})
const person = recordOf({
  name: 'Jane Roe',
  jobTitle: 'Chief Executive Officer',
  email: 'jane@acme.example',
  telephone: '+1 617 555 0124',
  sameAs: 'https://www.linkedin.com/in/jane',
  url: '/jane',
})
const item = recordOf({
  id: '1',
  url: '/news/1',
  title: 'Acme Capital raises $40 million in Series B round',
  date_published: '2026-10-01T10:00:00Z',
  summary: 'Acme Capital raised.',
})
const site = fc.tuple(organization, fc.array(person, { maxLength: 3 }), fc.array(item, { maxLength: 3 }))

it('stores the usable findings of malformed sites', async () => {
  const sites = fc.sample(site, { numRuns: 60, seed: 7 })
  await using web = await serveWeb(({ url, headers }, reply) => {
    const [fields, people, items] = sites[
      Number(/^odd(\d+)/.exec(headers.host ?? '')?.[1] ?? 0)
    ] as (typeof sites)[number]
    if (url === '/robots.txt') return void reply.writeHead(404).end()
    if (url === '/feed.json')
      return void reply
        .setHeader('content-type', 'application/feed+json')
        .end(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'Acme', items }))
    const graph = [
      {
        '@type': 'Organization',
        ...fields,
        url: `http://${headers.host}/`,
        employee: people.map((one) => ({ '@type': 'Person', ...one })),
      },
    ]
    reply
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        `<html><head><title>Acme Capital</title><link rel="alternate" type="application/feed+json" href="/feed.json"><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c')}</script></head><body><a href="/team">Team</a><footer>Call +1 617 555 0199</footer></body></html>`,
      )
  })
  await using service = await testDatabase<ServiceTables>('service')
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [web.connectTo], own_hosts: ['*.example'] }))
  const provider = createWebsiteProvider({
    fetcher,
    settings: enrichmentSettings(),
    receivesMail: async () => null,
    clock: systemClock,
  })
  const problems: string[] = []
  for (const number of sites.keys()) {
    const domain = `odd${number}.example`
    const found = await gather([provider], {
      domain,
      known: {},
      groups: new Set(['company', 'leadership', 'signals']),
      maxPeople: 10,
      maxArticles: 10,
      clock: systemClock,
      signal: new AbortController().signal,
      log: silentLog,
    })
    for (const answer of found.answers)
      if (answer.status !== 'found') problems.push(`${domain} ${answer.status} ${answer.reason}`)
    await record(service.db, found, { maxPeople: 10 }).catch((error: unknown) => problems.push(`${domain}: ${error}`))
  }
  expect(problems).toEqual([])
  expect((await sql`select 1 from company where phone is null`.execute(service.db)).rows).toEqual([])
})
