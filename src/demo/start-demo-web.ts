import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PlantedFacts } from './answer-key.ts'
import { plantedFacts } from './answer-key.ts'
import type { SampleCompany } from './companies.ts'
import { generateCompanies } from './companies.ts'
import { answerRequest } from './site/answer-request.ts'
import { createAuthority, expired } from './site/certificates.ts'
import { openSites } from './site/open-sites.ts'
import { planSite } from './site/plan.ts'
import { createTwoTongues } from './site/two-tongues.ts'

export interface DemoWebOptions {
  /** How many companies. @default 40 */
  companies?: number
  /** @default 1 */
  seed?: number
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number
  /** Dates the news. @default now */
  today?: Date
  /** Where the certificate of the web's own authority is written. @default a temporary file, gone when the web is closed */
  authorityFile?: string
}

export interface DemoWeb extends AsyncDisposable {
  port: number
  /** What `fetching.connect_to` must be for these sites to be found. */
  connectTo: string[]
  /** What `fetching.extra_ca_files` must name for the https ones to be trusted. */
  authorityFile: string
  companies: SampleCompany[]
  /** What each site says; computed for the company at that place of the list. */
  answerKey: PlantedFacts[]
  close(): Promise<void>
}

/** Serves the sites of invented companies on loopback, each under its own `.example` name: http and https on one port. */
export async function startDemoWeb({
  companies: count = 40,
  seed = 1,
  port = 0,
  today = new Date(),
  authorityFile,
}: DemoWebOptions = {}): Promise<DemoWeb> {
  await using stack = new AsyncDisposableStack()
  const companies = generateCompanies(seed, count, today)
  const sites = openSites(seed, companies)
  const authority = await createAuthority()
  const file = authorityFile ?? join(await temporaryFolder(stack), 'demo-authority.pem')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, authority.certificate)

  const listener: RequestListener = (request, reply) => void answerRequest(sites, request, reply)
  const certify = async (host: string) => {
    const site = sites.plan(host)
    // A site without https is as if nobody spoke TLS there.
    if (!site?.plan.isSecure) throw new Error(`${host} has no certificate`)
    return authority.certify(site.domain, site.plan.quirk === 'broken certificate' ? expired() : undefined)
  }
  const server = stack.use(createTwoTongues(listener, certify))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  const rest = stack.move()
  const close = () => rest.disposeAsync()
  return {
    port: bound,
    connectTo: [`*.example::127.0.0.1:${bound}`],
    authorityFile: file,
    companies,
    answerKey: companies.map((company) => plantedFacts(company, planSite(seed, company))),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-demo-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
