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
import type { DemoChanges } from './later-edition.ts'
import { laterEdition } from './later-edition.ts'
import { createAuthority, expired } from './site/certificates.ts'
import { createDualProtocolServer } from './site/dual-protocol-server.ts'
import { handleRequest } from './site/handle-request.ts'
import { openSites } from './site/open-sites.ts'
import { planSite } from './site/plan.ts'

export interface DemoWebOptions {
  /** @default 40 */
  companies?: number
  /** @default 1 */
  seed?: number
  /** Port on 127.0.0.1; 0 for any free port. @default 0 */
  port?: number
  /** Reference date for the news. @default now */
  today?: Date
  /** Path of the certificate authority's PEM file. @default a temporary file, deleted on dispose */
  authorityFile?: string
  /** Called for every request; returns true to serve the later edition. @default the first edition */
  isLater?: () => boolean
}

export interface DemoWeb extends AsyncDisposable {
  port: number
  /** Value for `fetching.connect_to` that routes the demo hosts to this server. */
  connectTo: string[]
  /** File for `fetching.extra_ca_files`, so that clients trust the https sites. */
  authorityFile: string
  companies: SampleCompany[]
  /** The facts on each site. */
  answerKey: PlantedFacts[]
  /** The changes in the later edition; undefined if there is no later edition. */
  changes: DemoChanges | undefined
  close(): Promise<void>
}

/**
 * Serves the sites of invented companies on localhost, each under an `.example` host, with http and https on one port.
 */
export async function startDemoWeb({
  companies: count = 40,
  seed = 1,
  port = 0,
  today = new Date(),
  authorityFile,
  isLater = () => false,
}: DemoWebOptions = {}): Promise<DemoWeb> {
  await using stack = new AsyncDisposableStack()
  const companies = generateCompanies(seed, count, today)
  const sites = openSites(seed, companies)
  const later = laterEdition(companies, today)
  const laterSites = later && openSites(seed, later.companies)
  const authority = await createAuthority()
  const file = authorityFile ?? join(await temporaryFolder(stack), 'demo-authority.pem')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, authority.certificate)

  const listener: RequestListener = (request, response) =>
    void handleRequest((isLater() ? laterSites : undefined) ?? sites, request, response)
  const certify = async (host: string) => {
    const site = sites.plan(host)
    // For a site without https, the handshake must fail.
    if (!site?.plan.isSecure) throw new Error(`${host} has no certificate`)
    return authority.certify(site.domain, site.plan.quirk === 'broken certificate' ? expired() : undefined)
  }
  const server = stack.use(createDualProtocolServer(listener, certify))
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
    changes: later?.changes,
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-demo-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
