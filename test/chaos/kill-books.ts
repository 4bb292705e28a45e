import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { nightly } from '../../pipelines/nightly.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Provider } from '../../src/findings/provider.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres, withDatabase } from '../../src/lib/postgres.ts'
import { addMembers } from '../../src/tal/tal-members.ts'
import { grantUnits } from '../../src/units/grant.ts'
import { createItemEnricher } from '../../src/worker/enrich.ts'
import { cloneDatabase, dropDatabase, onClone, randomFrom } from '../helpers/cloned-database.ts'
import { eventually } from '../helpers/eventually.ts'
import { gathered, record, says, shows } from '../helpers/findings.ts'
import { inventedSource } from '../helpers/invented-source.ts'
import { PIPELINE_SETTINGS, pipelineDeps } from '../helpers/pipeline-deps.ts'
import type { TestService } from '../helpers/service.ts'
import { startService } from '../helpers/service.ts'
import { domainNames } from '../helpers/submissions.ts'
import { startWorkerOn } from '../helpers/work.ts'

const VICTIM = join(import.meta.dirname, 'nightly-victim.ts')
const MEMBERS = domainNames(8)
const ROUNDS = 3
const SETTINGS = { enrich: { ...PIPELINE_SETTINGS.enrich, units_per_night: 0 } }

/** Result of the kills for one seed. */
export interface BooksReport {
  seed: number
  /** The step that was running at each kill; empty if the nightly run finished first. */
  killedIn: string[]
  outcome: string
  /** Whether the warehouse has exactly the service's ledger entries and history events. */
  ledgerEqual: boolean
  historyEqual: boolean
}

export interface BooksKillingGround extends AsyncDisposable {
  entries: number
  events: number
  kill(seed: number): Promise<BooksReport>
}

interface Books {
  ledger: unknown[]
  history: unknown[]
}

/** A source that returns `not_found` for some companies, so that their units are refunded. */
const source: Provider = {
  ...inventedSource,
  find: async (request) =>
    request.domain.length % 3 === 0
      ? { status: 'not_found', reason: 'it has no website', observations: [], people: [], signals: [] }
      : inventedSource.find(request),
}

/**
 * Prepares a service with two days of spending and changes, and a warehouse with the first day. Each kill uses a clone
 * of the warehouse. `server` is the URL of any database on the server; `template` is a migrated warehouse there.
 */
export async function prepareBooks(server: string, template: string): Promise<BooksKillingGround> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService({ plan: { units_per_period: 10_000 } }))
  await addMembers(service.db, service.client.client_id, { domains: MEMBERS })
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-books-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const first = `books_${process.pid}`
  await cloneDatabase(server, template, first)
  stack.defer(() => dropDatabase(server, first))
  await changeRecords(service, 0)
  await spendUnits(service, 'first')
  await night(withDatabase(server, first), service, folder)
  for (let round = 1; round <= ROUNDS; round += 1) await changeRecords(service, round)
  await spendUnits(service, 'second')
  const expected = await booksOfService(service)
  let requests = 0
  await onClone(server, first, `${first}_whole`, async (url) => {
    using _counter = onRequest(service, () => {
      requests += 1
    })
    await night(url, service, folder)
  })
  const rest = stack.move()
  return {
    entries: expected.ledger.length,
    events: expected.history.length,
    kill: (seed) =>
      onClone(server, first, `${first}_${seed}`, async (url) => {
        const random = randomFrom(seed)
        const killedIn: string[] = []
        // For every third seed, the resuming run is killed too.
        for (let kill = 0; kill < (seed % 3 === 0 ? 2 : 1); kill += 1) {
          const step = await killOnce({ url, service, folder, atRequest: 1 + Math.floor(random() * requests), random })
          if (step === undefined) break
          killedIn.push(step)
        }
        const { outcome } = await night(url, service, folder)
        const found = await booksOfWarehouse(url)
        return {
          ...{ seed, killedIn, outcome: String(outcome) },
          ledgerEqual: isDeepStrictEqual(found.ledger, expected.ledger),
          historyEqual: isDeepStrictEqual(found.history, expected.history),
        }
      }),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

/** Changes the companies and their people. In odd rounds, one person leaves each company. */
async function changeRecords({ db }: TestService, round: number): Promise<void> {
  for (const domain of MEMBERS)
    await record(
      db,
      gathered(domain, {
        observations: [says('website', 'name', `Company ${round}`), says('website', 'employee_count', 10 + round)],
        people: [
          shows('website', 'Ann Ash', { title: `Title ${round}`, email: `ann@${domain}` }),
          shows('website', 'Bob Birk', { title: `Title ${round}` }),
          ...(round % 2 === 0 ? [shows('website', 'Cy Cole', { title: 'Analyst' })] : []),
        ],
      }),
    )
}

/** Buys enrichment of other companies in several tasks, some of which are refunded, and grants units. */
async function spendUnits(service: TestService, day: string): Promise<void> {
  const { db, queue, receivers, client } = service
  const enrich = createItemEnricher({ db, providers: [source], log: silentLog, limits: { people: 25, articles: 10 } })
  await using _worker = startWorkerOn({ db, queue, receivers }, enrich)
  for (const length of [1, 4, 7, 10]) {
    const domains = [0, 1, 2].map((more) => `${'x'.repeat(length + more)}-${day}.example`)
    const { body } = await service.call<{ task_id: string }>('POST', '/v2/enrich/batch', { body: { domains } })
    await eventually('the task ends', async () => {
      const { body: task } = await service.call<{ completed_at: string | null }>('GET', `/v2/tasks/${body.task_id}`)
      return task.completed_at
    })
  }
  await grantUnits(db, { clientId: client.client_id, units: 500, reason: 'goodwill' })
}

async function booksOfService({ db, client }: TestService): Promise<Books> {
  const ledger = await sql`
    select entry_id::integer, kind, units::integer from ledger_entry where client_id = ${client.client_id} order by 1`.execute(
    db,
  )
  const history = await sql`
    select domain, id::text as id, entity, person_id::text, field, old_value, new_value, changed_at
    from history_event where domain = any (${MEMBERS}::text[]) order by domain, id::bigint`.execute(db)
  return { ledger: ledger.rows, history: history.rows }
}

async function booksOfWarehouse(url: string): Promise<Books> {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'judge', connections: 1 })
  const ledger = await sql`
    select entry_id::integer, min(kind) as kind, sum(units)::integer as units from warehouse.ledger_line group by 1 order by 1`.execute(
    warehouse.db,
  )
  const history = await sql`
    select domain, event_key as id, entity, person_id, field, old_value, new_value, changed_at
    from warehouse.history_event order by domain, event_key::bigint`.execute(warehouse.db)
  return { ledger: ledger.rows, history: history.rows }
}

function onRequest({ app }: TestService, listener: () => void): Disposable {
  app.server.on('request', listener)
  return { [Symbol.dispose]: () => void app.server.off('request', listener) }
}

interface Blow {
  url: string
  service: TestService
  folder: string
  /** Number of the request after which the process is killed. */
  atRequest: number
  random: () => number
}

/** Returns the step that was running at the kill, or undefined if the nightly run had finished. */
async function killOnce({ url, service, folder, atRequest, random }: Blow): Promise<string | undefined> {
  const delay = random() * 12
  const arguments_ = [VICTIM, url, service.url, folder, JSON.stringify(SETTINGS), service.key]
  const victim = spawn(process.execPath, arguments_, { stdio: ['ignore', 'ignore', 'inherit'] })
  let seen = 0
  using _killer = onRequest(service, () => {
    seen += 1
    if (seen === atRequest) setTimeout(() => victim.kill('SIGKILL'), delay)
  })
  const [code] = await once(victim, 'exit')
  if (code !== null) return undefined
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'judge', connections: 1 })
  const { rows } = await sql<{ pipeline: string }>`
    select pipeline from sync.run where state = 'running' order by id desc limit 1`.execute(warehouse.db)
  return rows[0]?.pipeline
}

async function night(url: string, { url: baseUrl, key }: TestService, folder: string) {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'heir', connections: 10 })
  await using client = createHostClient({ baseUrl, apiKey: key, concurrency: 4 })
  const deps = pipelineDeps(warehouse, client, SETTINGS, folder)
  const never = new AbortController().signal
  const { run, error } = await runPipeline(deps, nightly, { requestedBy: 'command', signal: never })
  if (error) throw error
  return run
}
