/**
 * `npm run bench -- read-company [companies]`: compares `GET /v2/companies/{domain}` of `talhouse serve` with bare
 * fastify and pg running the same query, each in a separate process on the same database, in alternating turns. Prints
 * requests per second, latencies, the ratio, and the memory of `talhouse serve` before, during and after the load.
 * Takes about 45 seconds.
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import { loadHttp } from './http-load.ts'
import type { Server } from './start-server.ts'
import { startServer, startTalhouse } from './start-server.ts'
import { processorSeconds, watchMemory } from './watch-process.ts'

const COMPANIES = Number(process.argv[2] ?? 100_000)
const AT_ONCE = 32
const SECONDS = 5
const ROUNDS = 4

await using chaos = await openChaosDatabase({ connections: 4 })
const { db } = chaos.service
await sql`
  insert into company (is_public, domain, name, legal_name, description, industry, employee_count, employee_range, headquarters_city,
    headquarters_state, headquarters_country, social_url, enrichment_status, enriched_at)
  select true, 'company-' || n || '.example', 'Company Number ' || n, 'Company Number ' || n || ' LLC',
    'Advises families and foundations on their investments since 1987.', 'Investment Advice', n % 500, '201-500', 'New York',
    'NY', 'United States', 'https://network.example/company/' || n, 'complete', now()
  from generate_series(1, ${COMPANIES}::int) n`.execute(db)
await sql`vacuum analyze company`.execute(db)
const client = await createClient(db, { name: 'Bench', reads_per_minute: 1e9, submits_per_minute: 1e9 })
const { key } = await createApiKey(db, client.client_id)

await using bare = await startServer([join(import.meta.dirname, 'bare-company-server.ts'), chaos.url])
await using talhouse = await startTalhouse(chaos.url)
const memory = watchMemory(talhouse.pid)

async function load({ url, pid }: Server, seconds: number) {
  const before = await processorSeconds(pid)
  const result = await loadHttp(url, {
    seconds,
    atOnce: AT_ONCE,
    request: () => ({
      method: 'GET',
      path: `/v2/companies/company-${1 + Math.floor(Math.random() * COMPANIES)}.example`,
      headers: { 'x-api-key': key },
    }),
  })
  const processorMs = (((await processorSeconds(pid)) - before) * 1000) / (result.perSecond * seconds)
  return { ...result, 'processor ms a request': Math.round(processorMs * 1000) / 1000 }
}

for (const warm of [bare, talhouse]) await load(warm, 2)
const ratios: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const figures = { bare: await load(bare, SECONDS), talhouse: await load(talhouse, SECONDS) }
  console.table(figures)
  ratios.push(Math.round((figures.talhouse.perSecond / figures.bare.perSecond) * 100) / 100)
}
console.log(`ratio ${ratios.join(', ')}; median ${ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]}`)
console.log('memory of `talhouse serve`, MB', await memory())
