/**
 * npm run bench -- pull [ROSTER]: measures a full pull of a roster through talhouse's own service, with 1, 4, 8 and 16
 * workers, compared with bare parallel requests for the same pages. A pull of unchanged data is measured twice: the
 * first pull after a checkpoint writes full-page images to the WAL (30 to 40 KB for any number of firms); the second
 * shows the cost per row. ROSTER is an SEC roster file; the default is the roster of October 2022, or talhouse's sample
 * if the shared rosters are not available.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import PQueue from 'p-queue'
import { Agent } from 'undici'
import { firms } from '../../pipelines/firms/pipeline.ts'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'
import { SHARED_ROSTERS } from '../helpers/shared-data.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')
const beside = join(SHARED_ROSTERS, 'ia100322.zip')
const roster = process.argv[2] ?? (existsSync(beside) ? beside : undefined)
const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
const env = {
  ...process.env,
  TALHOUSE_DATA_DIR: dataDir,
  TALHOUSE_POSTGRES_PORT: '0',
  TALHOUSE_HTTP_PORT: '0',
  TALHOUSE_LOG_LEVEL: 'warn',
}
const talhouse = (...args: string[]) =>
  JSON.parse(execFileSync(process.execPath, [MAIN, ...args, '--json'], { env, encoding: 'utf8' }))

await using stack = new AsyncDisposableStack()
stack.defer(() => rm(dataDir, { recursive: true, force: true }))
// Measures the WAL of the whole server, which has no other writer.
const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings: { autovacuum: 'off' } }))
talhouse('firms', 'import', roster ?? sampleRoster())
const client: { client_id: string } = talhouse('clients', 'create', 'Benchmark', '--reads-per-minute', '100000000')
const apiKey: string = talhouse('keys', 'create', client.client_id).key
const baseUrl = await serve()

const pages = await walkOnce()
console.log(`${pages.rows} firms in ${pages.below.length} pages`)
const results: Record<string, object> = {}
for (const concurrency of [1, 4, 8, 16]) {
  const bare = await bareRequests(concurrency)
  const pull = await pullOnce(concurrency)
  results[`${concurrency} at once`] = {
    bare_s: round(bare),
    pull_s: round(pull.first),
    of_bare_speed: round(bare / pull.first),
    again_s: round(pull.second),
    again_of_bare_speed: round(bare / pull.second),
    extra_requests: pull.requests - pages.below.length,
    extra_again: pull.requestsAgain - pages.below.length,
    written_again: pull.writtenAgain,
    wal_a_row_after_checkpoint: round(pull.walAfterCheckpoint / pages.rows),
    wal_a_row_again: round(pull.walAgain / pages.rows),
    node_cpu_s: round(pull.cpu),
  }
}
console.table(results)

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function sampleRoster(): string {
  const file = join(dataDir, 'sample.csv')
  talhouse('firms', 'sample', file)
  return file
}

/** Runs the service in a separate process, as in production. */
async function serve(): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(async () => {
    child.kill('SIGTERM')
    await new Promise((done) => child.once('exit', done))
  })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes('}')) break
  }
  return (JSON.parse(text) as { url: string }).url
}

/** Walks all firms sequentially and returns the upper key of each page. */
async function walkOnce(): Promise<{ rows: number; below: (string | null)[] }> {
  await using client = createHostClient({ baseUrl, apiKey, concurrency: 1 })
  const below: (string | null)[] = [null]
  let rows = 0
  for (;;) {
    const at = below.at(-1) ?? null
    const page = await client.firms.query({
      select: ['sec_number'],
      order: 'sec_number.desc',
      limit: 50,
      ...(at && { filters: { sec_number: `lt.${at}` } }),
    })
    rows += page.data.length
    if (page.data.length < 50) return { rows, below }
    below.push((page.data.at(-1) as { sec_number: string }).sec_number)
  }
}

/**
 * Requests the same pages by their keys, and parses and discards them. Its duration is the lower bound for any pull.
 */
async function bareRequests(concurrency: number): Promise<number> {
  const agent = new Agent({ connections: concurrency })
  const queue = new PQueue({ concurrency })
  const start = performance.now()
  for (const at of pages.below)
    void queue.add(async () => {
      const body = {
        select: [...FIRM_FIELD_NAMES, 'as_of'],
        order: 'sec_number.desc',
        limit: 50,
        ...(at && { filters: { sec_number: `lt.${at}` } }),
      }
      const reply = await agent.request({
        origin: baseUrl,
        path: '/firms',
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`)
      await reply.body.json()
    })
  await queue.onIdle()
  const seconds = (performance.now() - start) / 1000
  await agent.close()
  return seconds
}

/** Pulls into an empty warehouse, and then again without changes. */
async function pullOnce(concurrency: number) {
  const url = server.url(`warehouse_${concurrency}`)
  await ensureDatabase(url)
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'bench', connections: 20 })
  await migrate(warehouse.db, join(import.meta.dirname, '../../sql/warehouse'))
  await using client = createHostClient({ baseUrl, apiKey, concurrency })
  const deps = pipelineDeps(warehouse, client, { concurrency })
  const once = async () => {
    const [start, cpu, wal] = [performance.now(), process.cpuUsage(), await walBytes()]
    const { run, error } = await runPipeline(deps, firms, {
      requestedBy: 'command',
      signal: new AbortController().signal,
    })
    if (error) throw error
    if (run.outcome !== 'ok' || run.inserted + run.unchanged !== pages.rows) throw new Error(JSON.stringify(run))
    const { user, system } = process.cpuUsage(cpu)
    const seconds = (performance.now() - start) / 1000
    return { run, seconds, cpu: (user + system) / 1e6, wal: (await walBytes()) - wal }
  }
  const walBytes = async (): Promise<number> => {
    const asked = sql<{ at: number }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as at`
    return (await asked.execute(warehouse.db)).rows[0]?.at ?? Number.NaN
  }
  const first = await once()
  await sql`vacuum analyze warehouse.firm`.execute(warehouse.db)
  await sql`checkpoint`.execute(warehouse.db)
  const afterCheckpoint = await once()
  const again = await once()
  return {
    first: first.seconds,
    second: again.seconds,
    requests: first.run.requests,
    requestsAgain: again.run.requests,
    writtenAgain: again.run.inserted + again.run.updated,
    walAfterCheckpoint: afterCheckpoint.wal,
    walAgain: again.wal,
    cpu: first.cpu,
  }
}
