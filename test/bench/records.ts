/**
 * Reads and searches of records at a million companies and three million people, beside a bare fastify with bare pg that answers the
 * same row: `node test/bench/records.ts [companies]`. TALHOUSE_TEST_BENCH_URL names a service database that was filled before.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { sql } from 'kysely'
import { Pool } from 'undici'
import { readCompany } from '../../src/companies/read-companies.ts'
import { searchCompanies } from '../../src/companies/search-companies.ts'
import { Company, CompanyPage } from '../../src/contract/companies.ts'
import type { ServiceTables } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import { searchPersons } from '../../src/persons/search-persons.ts'
import { fillRecords } from './record-fill.ts'

const SECONDS = 5
const CONNECTIONS = 16
const PAGE = { limit: 50, offset: 0 }

const companies = Number(process.argv[2] ?? 1_000_000)
await using stack = new AsyncDisposableStack()
const service = stack.use(await openFilled())
const domains = await sample(service)
await readsBesideBare(service, domains)
await searches(service)

async function openFilled(): Promise<Postgres<ServiceTables>> {
  const given = process.env['TALHOUSE_TEST_BENCH_URL']
  if (given) return openPostgres<ServiceTables>(given, { log: silentLog, name: 'bench', connections: 20 })
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const url = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 })).url('bench')
  await ensureDatabase(url)
  const service = openPostgres<ServiceTables>(url, { log: silentLog, name: 'bench', connections: 20 })
  await migrate(service.db, join(import.meta.dirname, '../../sql/service'))
  console.log(`filling ${companies} companies and ${companies * 3} persons`)
  await fillRecords(service.db, companies)
  return service
}

async function sample({ db }: Postgres<ServiceTables>): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select domain from company tablesample system (1) order by random() limit 2000`.execute(db)
  return rows.map(({ domain }) => domain)
}

/** The route's own work (schema, serializer, store function) beside the least that could answer it. */
async function readsBesideBare({ db, pool }: Postgres<ServiceTables>, domains: string[]): Promise<void> {
  const app = fastify()
  app.get('/ours/:domain', { schema: { response: { 200: Company } } }, ({ params }) =>
    readCompany(db, (params as { domain: string }).domain),
  )
  app.get('/bare/:domain', async ({ params }) => {
    const { rows } = await pool.query('select * from company where domain = $1', [
      (params as { domain: string }).domain,
    ])
    return rows[0]
  })
  app.get('/search', { schema: { response: { 200: CompanyPage } } }, ({ query }) =>
    searchCompanies(db, { ...PAGE, ...(query as { query: string }) }),
  )
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  stack.defer(() => app.close())
  await load(base, (turn) => `/bare/${domains[turn % domains.length]}`, 1)
  for (const path of ['bare', 'ours', 'bare', 'ours']) {
    report(`company read, ${path}`, await load(base, (turn) => `/${path}/${domains[turn % domains.length]}`, SECONDS))
  }
  report(
    'company search by domain',
    await load(base, (turn) => `/search?query=${domains[turn % domains.length]}`, SECONDS),
  )
}

async function load(base: string, path: (turn: number) => string, seconds: number) {
  const pool = new Pool(base, { connections: CONNECTIONS })
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  let turn = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const start = performance.now()
        turn += 1
        const { statusCode, body } = await pool.request({ method: 'GET', path: path(turn) })
        await body.text()
        if (statusCode !== 200) throw new Error(`${path(turn)}: ${statusCode}`)
        times.push(performance.now() - start)
      }
    }),
  )
  await pool.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] as number).toFixed(1)
  return { perSecond: Math.round(times.length / seconds), p50: at(0.5), p99: at(0.99) }
}

function report(name: string, { perSecond, p50, p99 }: Awaited<ReturnType<typeof load>>): void {
  console.log(`${name.padEnd(28)} ${String(perSecond).padStart(6)}/s   p50 ${p50} ms   p99 ${p99} ms`)
}

async function searches({ db }: Postgres<ServiceTables>): Promise<void> {
  const timed = async (name: string, work: () => Promise<{ total: number }>) => {
    await work()
    const start = performance.now()
    const { total } = await work()
    console.log(`${name.padEnd(44)} ${String(total).padStart(8)} found   ${(performance.now() - start).toFixed(1)} ms`)
  }
  for (const query of [
    {},
    { query: 'acme bridge' },
    { query: 'acme brigde' },
    { query: 'zephyr havn robotics' },
    { query: 'capital' },
    { state: 'NY' },
  ])
    await timed(`companies ${JSON.stringify(query)}`, () => searchCompanies(db, { ...PAGE, ...query }))
  for (const query of [
    {},
    { query: 'victor euuuuaeb' },
    { query: 'victor qaeb' },
    { query: 'jnae' },
    { title: 'director' },
    { seniority: 'executive' },
  ])
    await timed(`persons ${JSON.stringify(query)}`, () => searchPersons(db, { ...PAGE, ...query }))
}
