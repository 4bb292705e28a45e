/**
 * `npm run bench -- console [FIRMS] [MEMBERS] [NIGHTS]`: measures the console of `talhouse serve` with a million firms,
 * 100,000 members and 365 nights. Clicks through the pages in Chromium, records the requests of each click, and then
 * repeats these requests. Prints the number of requests, the first latency and the p95 of each click in milliseconds.
 * For comparison, also prints the latency of typical queue dashboards' count queries on tables of the same size.
 * Filling the tables takes about six minutes.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page, Request } from 'playwright-core'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import type { ServiceTables } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { CHROMIUM, launchBrowser } from '../helpers/browser.ts'
import { BUILT_CONSOLE } from '../helpers/built-console.ts'
import { signIn } from '../helpers/console.ts'
import { fillService, fillWarehouse } from './console-fill.ts'
import { startServer } from './start-server.ts'

/** Maximum requests per click, and maximum p95 in milliseconds. */
const GOAL = { requests: 2, p95: 150 }
const ROUNDS = 20
const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

const [firms = 1_000_000, members = 100_000, nights = 365] = process.argv.slice(2).map(Number)
if (!CHROMIUM) throw new Error('Install Chromium to run this benchmark.')
await BUILT_CONSOLE
await using stack = new AsyncDisposableStack()
const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
stack.defer(() => rm(dataDir, { recursive: true, force: true }))
// Disabling durability speeds up filling and does not affect read latency.
const settings = { fsync: 'off', full_page_writes: 'off' }
const postgres = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings }))
const env = {
  TALHOUSE_SERVICE_DATABASE_URL: postgres.url('service'),
  TALHOUSE_WAREHOUSE_DATABASE_URL: postgres.url('warehouse'),
  TALHOUSE_SNAPSHOT_URL: `file://${join(dataDir, 'snapshots')}`,
  TALHOUSE_HTTP_PORT: '0',
  TALHOUSE_LOG_LEVEL: 'error',
}
spawnSync(process.execPath, [MAIN, 'migrate'], {
  env: { ...process.env, ...env },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const { db } = stack.use(
  openPostgres<ServiceTables>(env.TALHOUSE_SERVICE_DATABASE_URL, { log: silentLog, name: 'bench', connections: 4 }),
)
const warehouse = stack.use(
  openPostgres<WarehouseTables>(env.TALHOUSE_WAREHOUSE_DATABASE_URL, { log: silentLog, name: 'bench', connections: 2 }),
)
const { client_id } = await createClient(db, { name: 'Bench', reads_per_minute: 1e9, submits_per_minute: 1e9 })
const { key } = await createApiKey(db, client_id, { scopes: SCOPES })
const started = performance.now()
await fillService(db, client_id, { firms, members, nights })
await fillWarehouse(warehouse.db, { firms, members, nights })
console.log(`filled in ${Math.round((performance.now() - started) / 1000)} s`)

const domain = await one<string>('select domain from company order by domain limit 1')
const task = await one<string>('select task_id::text from task order by items_total desc limit 1')
const where = (...conditions: string[][]) => `/firms?where=${encodeURIComponent(JSON.stringify(conditions))}`
const CLICKS: Record<string, string> = {
  overview: '',
  accounts: '/accounts',
  'accounts, search': '/accounts?query=zephyr',
  'accounts, search without a match': '/accounts?query=qqqqwwww',
  'accounts, stale': '/accounts?status=stale',
  'accounts, by last enrichment': '/accounts?order=enriched_at.asc',
  'accounts, changed this week': '/accounts?status=changed',
  'accounts, last page': `/accounts?offset=${members - 50}`,
  company: `/companies/${domain}`,
  'company, people': `/companies/${domain}?tab=people`,
  'company, history': `/companies/${domain}?tab=history`,
  'personnel changes': '/personnel',
  firms: '/firms',
  'firms, in a state': where(['state', 'eq', 'NY']),
  'firms, above 1 billion': where(['aum_total_usd', 'gte', '1000000000']),
  'firms, name contains': where(['legal_name', 'contains', 'abcd']),
  runs: '/runs',
  run: `/runs/${nights}`,
  tasks: '/tasks',
  'tasks, last page': `/tasks?offset=${nights * 50}`,
  [`task of ${Math.min(1000, members)} companies`]: `/tasks/${task}`,
  spending: '/spending',
  webhooks: '/webhooks',
  comparisons: '/trust',
  checks: '/trust?tab=checks',
  'rejected records': '/trust?tab=quarantine',
  snapshots: '/trust?tab=snapshots',
  'audit log': '/trust?tab=audit',
  SQL: '/sql',
  settings: '/settings',
  'settings, nights': '/settings?tab=nights',
  'settings, effective': '/settings?tab=effective',
  keys: '/keys',
  reference: '/reference',
}

interface Call {
  method: string
  path: string
  body: string | null
  /** Time until the end of the response in Chromium; -1 if it has not ended. */
  milliseconds: number
}

const server = stack.use(await startServer([MAIN, 'serve', '--json'], env))
const browser = await launchBrowser()
stack.defer(() => browser.close())
const page = await (await signIn(browser, server.url, key)).newPage()
const figures: Record<string, object> = {}
for (const [name, path] of Object.entries(CLICKS)) {
  const calls = await click(page, path)
  console.log(`${name}: ${calls.map((call) => `${call.path} ${Math.round(call.milliseconds)} ms`).join(', ')}`)
  const read = calls.filter(({ path }) => !path.endsWith('/events'))
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(...(await timeEach(read)))
  const p95 = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0
  figures[name] = {
    requests: calls.length,
    first: Math.round(Math.max(0, ...read.map(({ milliseconds }) => milliseconds))),
    p95: Math.round(p95),
    goal: calls.length <= GOAL.requests && p95 <= GOAL.p95,
  }
}
console.table(figures)

const COUNTS: Record<string, string> = {
  "items by state, as in pg-boss's dashboard": 'select state, count(*) from task_item group by state',
  "items of one state, as in River's UI": "select count(*) from task_item where state = 'completed'",
  'firms by state': 'select state, count(*), sum(aum_total_usd) from firm where gone_as_of is null group by state',
  'members, exactly': `select count(*) from tal_member where client_id = '${client_id}'`,
}
const counted: Record<string, object> = {}
for (const [name, text] of Object.entries(COUNTS)) {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const from = performance.now()
    await sql.raw(text).execute(db)
    times.push(performance.now() - from)
  }
  counted[name] = { milliseconds: Math.round(times.sort((a, b) => a - b)[2] as number) }
}
console.table(counted)

/** Opens a page in the running console, like a click on a link. Returns its requests. */
async function click(page: Page, path: string): Promise<Call[]> {
  await page.goto(`${server.url}/console/reference?search=nothing`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const requests: Request[] = []
  const note = (request: Request) => void requests.push(request)
  page.on('request', note)
  const link = JSON.stringify(`/console${path}`)
  await page.evaluate(
    `(() => { const link = document.createElement('a'); link.href = ${link}; document.body.append(link); link.click(); link.remove() })()`,
  )
  await page.waitForTimeout(300)
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached', timeout: 120_000 })
  page.off('request', note)
  return requests.flatMap((request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/console/assets')) return []
    const milliseconds = request.timing().responseEnd
    return [{ method: request.method(), path: pathname + search, body: request.postData(), milliseconds }]
  })
}

async function timeEach(calls: readonly Call[]): Promise<number[]> {
  const times: number[] = []
  for (const { method, path, body } of calls) {
    const from = performance.now()
    const headers = { 'x-api-key': key, ...(body !== null && { 'content-type': 'application/json' }) }
    const reply = await fetch(server.url + path, { method, headers, body })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status}`)
    times.push(performance.now() - from)
  }
  return times
}

async function one<Value>(text: string): Promise<Value> {
  const { rows } = await sql.raw<Record<string, Value>>(text).execute(db)
  return Object.values(rows[0] ?? {})[0] as Value
}
