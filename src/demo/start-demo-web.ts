import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { PlantedFacts } from './answer-key.ts'
import { plantedFacts } from './answer-key.ts'
import type { InventedCompany } from './companies.ts'
import { inventCompanies } from './companies.ts'
import type { BuiltSite } from './site/build-site.ts'
import { buildSite } from './site/build-site.ts'
import { planSite } from './site/plan.ts'

export interface DemoWebOptions {
  /** How many companies. @default 40 */
  companies?: number
  /** @default 1 */
  seed?: number
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number
  /** Dates the news. @default now */
  today?: Date
}

export interface DemoWeb extends AsyncDisposable {
  port: number
  /** What `fetching.connect_to` must be for these sites to be found. */
  connectTo: string[]
  companies: InventedCompany[]
  /** What each site says; computed for the company at that place of the list. */
  answerKey: PlantedFacts[]
  close(): Promise<void>
}

/** Sites kept built at the same time; the others are built again when somebody comes. */
const BUILT = 200

/** Serves the sites of invented companies on loopback, each under its own `.example` name. Plain HTTP, as any web server. */
export async function startDemoWeb({
  companies: count = 40,
  seed = 1,
  port = 0,
  today = new Date(),
}: DemoWebOptions = {}): Promise<DemoWeb> {
  const companies = inventCompanies(seed, count, today)
  const byDomain = new Map(companies.map((company) => [company.domain, company]))
  const built = new Map<string, BuiltSite>()
  const siteOf = (domain: string): BuiltSite | undefined => {
    const company = byDomain.get(domain)
    if (!company) return undefined
    const site = built.get(domain) ?? buildSite(company, planSite(seed, company))
    built.delete(domain)
    built.set(domain, site)
    for (const oldest of built.keys()) if (built.size > BUILT) built.delete(oldest)
    return site
  }
  const isDown = (domain: string): boolean => {
    const company = byDomain.get(domain)
    return company !== undefined && planSite(seed, company).quirk === 'down'
  }
  const server = createServer((request, reply) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? ''
    const domain = host.replace(/^www\./, '')
    if (isDown(domain)) reply.writeHead(503, { 'retry-after': '3600' }).end('back soon')
    else void answer(siteOf(domain), host, request, reply)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    port: bound,
    connectTo: [`*.example::127.0.0.1:${bound}`],
    companies,
    answerKey: companies.map((company) => plantedFacts(company, planSite(seed, company))),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function answer(
  site: BuiltSite | undefined,
  host: string,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (!site) return void reply.writeHead(404, { 'content-type': 'text/plain' }).end('no such site in the demo web')
  if (host !== site.host) return void reply.writeHead(301, { location: `http://${site.host}${path}` }).end()
  const found = site.answers.get(path)
  if (!found) return void reply.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
  if (found.delay) await wait(found.delay)
  reply.writeHead(found.status, { 'content-type': found.type, 'content-length': found.body.length, ...found.headers })
  reply.end(request.method === 'HEAD' ? undefined : found.body)
}
