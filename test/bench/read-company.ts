/**
 * `GET /v2/companies/{domain}` beside bare fastify with bare pg on the same query, both in a process of their own on the same database.
 * Prints requests a second, p50, p99 and the ratio. `npm run bench:read-company [companies]`.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import type { ServiceTables } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'

const COMPANIES = Number(process.argv[2] ?? 100_000)
const AT_ONCE = 32
const SECONDS = 5
const ROUNDS = 3

const folder = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
const children: ChildProcess[] = []
try {
  await using server = await startEmbeddedPostgres({ dataDir: folder, port: 0 })
  const url = server.url('bench')
  await ensureDatabase(url)
  await using service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'bench' })
  await migrate(service.db, join(import.meta.dirname, '../../sql/service'))
  await sql`
    insert into company (domain, name, industry, employee_count, employee_range, headquarters_city, headquarters_state, headquarters_country, enrichment_status, enriched_at)
    select 'company-' || n || '.example', 'Company Number ' || n, 'Investment Advice', n % 500, '201-500', 'New York', 'NY', 'US', 'complete', now()
    from generate_series(1, ${COMPANIES}::int) n
  `.execute(service.db)
  await sql`vacuum analyze company`.execute(service.db)
  const rate = 1_000_000_000
  const client = await createClient(service.db, { name: 'Bench', reads_per_minute: rate, submits_per_minute: rate })
  const { key } = await createApiKey(service.db, client.client_id)

  const root = join(import.meta.dirname, '../..')
  const bare = await start([join(import.meta.dirname, 'bare-company-server.ts'), url], {})
  const talhouse = await start([join(root, 'src/cli/main.ts'), 'serve', '--json'], {
    TALHOUSE_SERVICE_DATABASE_URL: url,
    TALHOUSE_HTTP_PORT: '0',
    TALHOUSE_LOG_LEVEL: 'error',
  })
  for (const warm of [bare, talhouse]) await load(warm, key, 1)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures = { bare: await load(bare, key, SECONDS), talhouse: await load(talhouse, key, SECONDS) }
    ratios.push(figures.talhouse.perSecond / figures.bare.perSecond)
    console.log(JSON.stringify({ companies: COMPANIES, ...figures, ratio: Number(ratios.at(-1)?.toFixed(2)) }))
  }
  console.log(`median ratio ${ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]?.toFixed(2)}`)
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map((child) => child.exitCode === null && once(child, 'exit')))
  await rm(folder, { recursive: true, force: true })
}

/** Starts a server and gives the address that it prints. */
async function start(args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  let text = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const url = /"url":\s*"([^"]+)"/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error('the server ended before it listened')
}

async function load(url: string, key: string, seconds: number) {
  const pool = new Pool(url, { connections: AT_ONCE })
  const times: number[] = []
  const until = performance.now() + seconds * 1_000
  const work = async () => {
    while (performance.now() < until) {
      const from = performance.now()
      const path = `/v2/companies/company-${1 + Math.floor(Math.random() * COMPANIES)}.example`
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { 'x-api-key': key } })
      await body.text()
      if (statusCode !== 200) throw new Error(`${path} replied ${statusCode}`)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await pool.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => Number(times[Math.floor(times.length * share)]?.toFixed(1))
  return { perSecond: Math.round(times.length / seconds), p50: at(0.5), p99: at(0.99) }
}
