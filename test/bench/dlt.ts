/**
 * npm run bench -- dlt [MEMBERS] [ROSTER]: pulls all firms in a roster and all members of a list (default: 1,000) from
 * talhouse's service into PostgreSQL, with dlt's REST source and with talhouse's pipelines. Measures a first pull and a
 * pull of unchanged data, with 0 ms and 20 ms of latency. Prints seconds, requests, CPU seconds and memory of both
 * programs, including startup, and their ratios. ROSTER is an SEC roster file; the default is the roster of October
 * 2022, if the shared rosters are available. Takes about three minutes. If the roster, Python or PyPI is not available,
 * only prints the reason.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../src/client/index.ts'
import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'
import type { EmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { ensureDatabase } from '../../src/lib/postgres.ts'
import { addMembers } from '../../src/tal/tal-members.ts'
import { askDatabase } from '../helpers/cloned-database.ts'
import { pythonWith } from '../helpers/installed-programs.ts'
import { SHARED_ROSTERS } from '../helpers/shared-data.ts'
import { domainNames } from '../helpers/submissions.ts'
import type { BenchService } from './bench-service.ts'
import { openBenchService } from './bench-service.ts'
import type { Watched } from './watched-process.ts'
import { runWatched } from './watched-process.ts'

const AT_ONCE = 8
const MAIN = join(import.meta.dirname, '../../bin/talhouse.js')
const members = Number(process.argv[2] ?? 1000)
const roster = process.argv[3] ?? join(SHARED_ROSTERS, 'ia100322.zip')
const programs = pythonWith('bench-dlt', join(import.meta.dirname, 'dlt/requirements.txt'))
if (!existsSync(roster))
  console.log(`skipped: there is no roster ${roster}; name one: npm run bench -- dlt ${members} FILE`)
else if (programs) await compare(join(programs, 'python'))

async function compare(python: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
  // The import runs first, because it blocks this process.
  const firms = importRoster(server.url('service'), dataDir)
  const bench = stack.use(await openBenchService(server.url('service')))
  await enrichMembers(bench)
  console.log(`${firms} firms; ${members} members with their records, people and news; ${AT_ONCE} requests at once`)
  for (const delay of [0, 20]) {
    bench.delay = delay
    await compareAt(python, { bench, server, dataDir })
  }
}

interface Ground {
  bench: BenchService
  server: EmbeddedPostgres
  dataDir: string
}

async function compareAt(python: string, { bench, server, dataDir }: Ground): Promise<void> {
  const urls = { dlt: server.url(`dlt_${bench.delay}`), talhouse: server.url(`talhouse_${bench.delay}`) }
  await ensureDatabase(urls.dlt)
  const dlt = {
    args: [join(import.meta.dirname, 'dlt/pull.py')],
    env: {
      BENCH_BASE_URL: bench.url,
      BENCH_API_KEY: bench.apiKey,
      BENCH_FIRM_FIELDS: JSON.stringify([...FIRM_FIELD_NAMES, 'as_of']),
      BENCH_FOLDER: join(dataDir, `dlt-${bench.delay}`),
      BENCH_WAREHOUSE_URL: urls.dlt,
      RUNTIME__DLTHUB_TELEMETRY: 'false',
      RUNTIME__LOG_LEVEL: 'ERROR',
      EXTRACT__WORKERS: String(AT_ONCE),
    },
  }
  const talhouse = {
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_LOG_LEVEL: 'error',
    TALHOUSE_SERVICE_BASE_URL: bench.url,
    TALHOUSE_SERVICE_API_KEY: bench.apiKey,
    TALHOUSE_WAREHOUSE_DATABASE_URL: urls.talhouse,
    TALHOUSE_PIPELINES_REQUESTS_PER_SECOND: '0',
    TALHOUSE_PIPELINES_CONCURRENCY: String(AT_ONCE),
  }
  for (const pull of ['first pull', 'again, nothing changed']) {
    const byDlt = await pluralize(bench, () => runWatched(python, dlt.args, { ...process.env, ...dlt.env }))
    const byTalhouse = await pluralize(bench, () =>
      runWatched(MAIN, ['run', 'firms', 'tal-members', '--json'], { ...process.env, ...talhouse }),
    )
    console.log(`\nThe service ${bench.delay} ms away, ${pull}; dlt ${byDlt.said}`)
    console.table({ dlt: byDlt.figures, talhouse: byTalhouse.figures, 'dlt / talhouse': ratios(byDlt, byTalhouse) })
  }
  const [fromDlt, fromTalhouse] = [await countRows(urls.dlt, 'dlt_bench'), await countRows(urls.talhouse, 'warehouse')]
  if (fromDlt !== fromTalhouse) throw new Error(`dlt holds ${fromDlt}, talhouse ${fromTalhouse}`)
  console.log(`Both hold ${fromDlt}.`)
}

/** Returns the row counts of all pulled tables as text. */
function countRows(url: string, schema: string): Promise<string> {
  return askDatabase(
    url,
    `select concat_ws(', ', ${['firm', 'tal_member', 'company', 'person'].map((table) => `(select count(*) || ' ${table}' from ${schema}.${table})`).join(', ')}) as value`,
  )
}

type Figures = Record<'seconds' | 'requests' | 'cpu_s' | 'peak_mb', number>
interface Counted {
  figures: Figures
  said: string
}

/** Throws if the command fails. */
async function pluralize(bench: BenchService, run: () => Promise<Watched>): Promise<Counted> {
  const before = bench.requests()
  const { code, stdout, seconds, cpu, peakMb } = await run()
  if (code !== 0) throw new Error(`it ended with ${code}: ${stdout}`)
  const figures = {
    seconds: Math.round(seconds * 100) / 100,
    requests: bench.requests() - before,
    cpu_s: Math.round(cpu * 100) / 100,
    peak_mb: Math.round(peakMb),
  }
  return { figures, said: stdout.trim() }
}

function ratios({ figures: dlt }: Counted, { figures: talhouse }: Counted): Figures {
  const ratio = (name: keyof Figures): number => Math.round((dlt[name] / talhouse[name]) * 100) / 100
  return { seconds: ratio('seconds'), requests: ratio('requests'), cpu_s: ratio('cpu_s'), peak_mb: ratio('peak_mb') }
}

/** Returns the number of firms. */
function importRoster(serviceUrl: string, dataDir: string): number {
  const env = {
    ...process.env,
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_SERVICE_DATABASE_URL: serviceUrl,
    TALHOUSE_LOG_LEVEL: 'error',
  }
  const talhouse = (...args: string[]) => execFileSync(process.execPath, [MAIN, ...args], { env, encoding: 'utf8' })
  talhouse('firms', 'import', roster)
  return JSON.parse(talhouse('firms', 'query', '--limit', '1', '--json')).total_count
}

/** Adds the members to the list and enriches them, including people and news. */
async function enrichMembers({ service, url, apiKey, clientId }: BenchService): Promise<void> {
  const domains = domainNames(members)
  await addMembers(service.db, clientId, { domains })
  const client = createClient({ baseUrl: url, apiKey })
  const parts = (size: number): string[][] =>
    Array.from({ length: Math.ceil(members / size) }, (_, index) => domains.slice(index * size, (index + 1) * size))
  await client.tal.enrich()
  await Promise.all(parts(10).map((part) => client.enrich.leadership({ domains: part })))
  await Promise.all(parts(50).map((part) => client.enrich.signals({ domains: part })))
  while (
    (await client.tasks.list({ status: 'queued', limit: 1 })).tasks.length +
      (await client.tasks.list({ status: 'running', limit: 1 })).tasks.length >
    0
  )
    await new Promise((done) => setTimeout(done, 500))
}
