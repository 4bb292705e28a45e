/**
 * `npm run bench -- reading EARLIER [SITES] [ROUNDS]`: time and memory per company, compared with an earlier version in
 * one run. EARLIER is the folder of another checkout with its dependencies, such as a git worktree. Starts `serve` and
 * `work` of both versions on separate databases of one PostgreSQL. Both enrich the same invented sites, one version
 * after the other in alternating order. Prints medians over the rounds. Works only on Linux.
 */
import { join, resolve } from 'node:path'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import { LEARN, readSites } from '../eval/gold-sites.ts'
import { byPath, serveWeb } from '../helpers/web-server.ts'
import type { CompanyCost } from './enriching-checkout.ts'
import { startCheckout } from './enriching-checkout.ts'
import { median } from './measure.ts'

const [earlier, sites = '100', rounds = '3'] = process.argv.slice(2)
if (earlier === undefined) throw new Error('usage: npm run bench -- reading EARLIER [SITES] [ROUNDS]')
const FOLDERS = { earlier: resolve(earlier), now: join(import.meta.dirname, '../..') }
/** Number of companies that both versions enrich before the first round. */
const WARM_UP = 10

const chosen = LEARN.flatMap(readSites).slice(0, Number(sites))
const domains = chosen.map(({ domain }) => domain)
const pages = new Map(chosen.map((site) => [site.domain, byPath(site.pages)]))
let requests = 0
await using web = await serveWeb((request, reply) => {
  requests += 1
  const answer = pages.get((request.headers.host ?? '').replace(/^www\.|:\d+$/g, ''))
  if (answer) answer(request, reply)
  else reply.writeHead(404).end()
})
await using database = await openChaosDatabase()
await using stack = new AsyncDisposableStack()
const versions = []
for (const [name, folder] of Object.entries(FOLDERS)) {
  const checkout = stack.use(await startCheckout(folder, database.server.url(name), web.port))
  await checkout.enrich(domains.slice(0, WARM_UP))
  versions.push({ name, checkout, costs: [] as (CompanyCost & { requests: number })[] })
}
for (let round = 0; round < Number(rounds); round += 1)
  for (const { checkout, costs } of round % 2 === 0 ? versions : versions.toReversed()) {
    requests = 0
    const cost = await checkout.enrich(domains)
    costs.push({ ...cost, requests: requests / domains.length })
  }

const figures = new Map<string, Record<string, number>>()
for (const { name, checkout, costs } of versions) {
  const of = (cost: keyof (typeof costs)[number]): number => Math.round(median(costs.map((round) => round[cost])))
  figures.set(name, {
    'reader CPU ms': of('readerCpu'),
    'worker CPU ms': of('workerCpu'),
    'elapsed ms': of('elapsed'),
    requests: of('requests'),
    'reader peak MB': Math.round(checkout.peakMb.reader),
    'worker peak MB': Math.round(checkout.peakMb.worker),
    ...(await checkout.found(domains)),
  })
}
const [before = {}, now = {}] = [...figures.values()]
const ratios = Object.entries(now).map(([figure, value]) => [
  figure,
  Math.round((100 * value) / (before[figure] ?? 0)) / 100,
])
console.log(`${chosen.length} sites, ${rounds} rounds; times and requests are per company`)
console.table({ ...Object.fromEntries(figures), 'now / earlier': Object.fromEntries(ratios) })
