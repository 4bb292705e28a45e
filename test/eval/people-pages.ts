/**
 * `npm run eval -- people-pages [--details]`: measures how many people the website provider finds on invented sites
 * whose people pages have unusual names. `--details` lists errors in the development half only; errors in the held-out
 * half are never listed.
 */
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { enrichmentSettings, fetchingSettings, serveWeb } from '../helpers/web-server.ts'
import type { GoldSite } from './gold-people-pages.ts'
import { readGoldSites } from './gold-people-pages.ts'

const details = process.argv.includes('--details')

for (const split of ['dev', 'held-out'] as const) {
  const sites = readGoldSites(split)
  const found = await Promise.all(sites.map(findPeople))
  const gold = sites.flatMap(({ domain, people }) => people.map(({ name, title }) => `${domain} ${name} ${title}`))
  const given = sites.flatMap(({ domain }, index) => found[index]?.people.map((one) => `${domain} ${one}`) ?? [])
  const right = given.filter((one) => gold.includes(one)).length
  const withTeam = sites.filter(({ people }, index) =>
    people.some(({ name }) => found[index]?.people.some((one) => one.startsWith(`${name} `))),
  ).length
  const requests = found.map(({ requests: count }) => count)
  console.log(
    `${split}: people ${right} of ${gold.length}, precision ${(right / Math.max(1, given.length)).toFixed(2)}, recall ${(right / gold.length).toFixed(2)}; ` +
      `people page found on ${withTeam} of ${sites.length} sites; requests per site: mean ${(requests.reduce((a, b) => a + b, 0) / sites.length).toFixed(1)}, maximum ${Math.max(...requests)}`,
  )
  if (!details || split !== 'dev') continue
  for (const [index, { domain, about, people }] of sites.entries()) {
    const names = people.map(({ name, title }) => `${name} ${title}`)
    const missing = names.filter((one) => !found[index]?.people.includes(one))
    const wrong = found[index]?.people.filter((one) => !names.includes(one)) ?? []
    if (missing.length + wrong.length > 0)
      console.log(`${domain} (${about})\n  missing: ${missing.join(', ')}\n  wrong: ${wrong.join(', ')}`)
  }
}

async function findPeople({ domain, pages }: GoldSite): Promise<{ people: string[]; requests: number }> {
  let requests = 0
  await using server = await serveWeb((request, reply) => {
    requests++
    const page = pages.get(request.url ?? '/')
    if (page === undefined) reply.writeHead(404).end('not found')
    else
      reply
        .setHeader('content-type', page.startsWith('<urlset') ? 'application/xml' : 'text/html; charset=utf-8')
        .end(page)
  })
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [server.connectTo] }))
  const provider = createWebsiteProvider({
    fetcher,
    settings: enrichmentSettings(),
    receivesMail: async () => null,
    clock: systemClock,
  })
  const { people } = await provider.find({
    domain,
    known: {},
    groups: new Set(['leadership']),
    maxPeople: 25,
    maxArticles: 10,
    clock: systemClock,
    signal: new AbortController().signal,
    log: silentLog,
  })
  return { people: people.map(({ full_name, title }) => `${full_name} ${title}`), requests }
}
