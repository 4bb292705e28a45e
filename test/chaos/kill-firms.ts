import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { firms } from '../../pipelines/firms/pipeline.ts'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import { PAGES_AHEAD } from '../../pipelines/walk/walk.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres, withDatabase } from '../../src/lib/postgres.ts'
import { askDatabase, cloneDatabase, dropDatabase, onClone, randomFrom } from '../helpers/cloned-database.ts'
import type { FirmHost, HostFirm } from '../helpers/firm-host.ts'
import { startFirmHost } from '../helpers/firm-host.ts'
import { generateFirms, inventFirm } from '../helpers/invented-firms.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'

const VICTIM = join(import.meta.dirname, 'firms-victim.ts')
const FIRMS = 1500
const CONCURRENCY = 4

/** Result of one kill. */
export interface KillReport {
  seed: number
  /** Whether the run was killed before it finished. */
  killed: boolean
  /** Number of rows committed by the killed run. */
  before: number
  /** Number of pages fetched by both the killed run and the next run. */
  refetched: number
  /** Milliseconds from the next run's start to its first request. */
  resumedIn: number
  /** Whether the warehouse equals that of an uninterrupted run and every row was counted exactly once. */
  equal: boolean
  countedOnce: boolean
}

export interface KillingGround extends AsyncDisposable {
  /**
   * Kills a run at a point derived from the seed, lets another run resume it, and compares the result with that of an
   * uninterrupted run.
   */
  kill(seed: number): Promise<KillReport>
}

/**
 * Prepares a warehouse with the July roster, and a service with the October roster, in which firms are added, changed,
 * removed and rejected. Each kill uses a clone of that warehouse. `server` is the URL of any database on the server;
 * `template` is a migrated warehouse there.
 */
export async function prepareKillingGround(server: string, template: string): Promise<KillingGround> {
  await using stack = new AsyncDisposableStack()
  const host = stack.use(await startFirmHost(generateFirms(FIRMS)))
  const july = `kill_july_${process.pid}`
  await cloneDatabase(server, template, july)
  stack.defer(() => dropDatabase(server, july))
  await pull(withDatabase(server, july), host)
  host.firms = october(host.firms)
  const expected = await onClone(server, july, `${july}_expected`, async (url) => {
    await pull(url, host)
    return await contents(url)
  })
  const rest = stack.move()
  return {
    kill: (seed) => onClone(server, july, `${july}_${seed}`, (url) => killOnce(url, host, seed, expected)),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

function october(firms: HostFirm[]): HostFirm[] {
  const changed = firms.map((firm, index) =>
    index % 4 === 0 ? { ...firm, employee_count: 7 * index, as_of: '2022-10-03' } : firm,
  )
  const broken = changed.map((firm, index) => (index % 300 === 7 ? { ...firm, employee_count: 'many' } : firm))
  return [
    ...broken.filter((_, index) => index % 100 !== 13),
    ...Array.from({ length: 60 }, (_, index) => inventFirm(FIRMS + index)),
  ]
}

async function killOnce(url: string, host: FirmHost, seed: number, expected: string): Promise<KillReport> {
  const random = randomFrom(seed)
  const pages = Math.ceil(host.firms.length / 50)
  const [atRequest, delay] = [1 + Math.floor(random() * pages), random() * 12]
  host.requests.length = 0
  const victim = spawn(process.execPath, [VICTIM, url, host.url, String(CONCURRENCY)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let killed = false
  host.fault = ({ number }) => {
    if (number === atRequest)
      setTimeout(() => {
        killed = victim.kill('SIGKILL')
      }, delay)
    return undefined
  }
  await once(victim, 'exit')
  host.fault = () => undefined
  const before = new Set(host.requests.map(({ filters }) => filters['sec_number']))
  host.requests.length = 0
  const committed = await committedRows(url)
  const started = performance.now()
  let resumedIn = Number.NaN
  host.fault = ({ number }) => {
    if (number === 1) resumedIn = performance.now() - started
    return undefined
  }
  const heir = await pull(url, host)
  host.fault = () => undefined
  const counted = await countedRows(url)
  const refetched = host.requests.filter(
    ({ filters }) => filters['sec_number'] !== undefined && before.has(filters['sec_number']),
  ).length
  return {
    seed,
    killed: killed && heir.continues_id !== null,
    before: committed,
    refetched,
    resumedIn,
    equal: (await contents(url)) === expected,
    countedOnce: heir.continues_id === null || counted === host.firms.length,
  }
}

export const WORKERS = CONCURRENCY

/** Each worker can have pages in the interrupted write, and as many that wait for the next one. */
export const MAX_REFETCHED = WORKERS * 2 * PAGES_AHEAD

async function pull(url: string, host: FirmHost) {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'heir', connections: 10 })
  await using client = createHostClient({ baseUrl: host.url, apiKey: 'key', concurrency: CONCURRENCY })
  const deps = pipelineDeps(warehouse, client, { concurrency: CONCURRENCY })
  const { run, error } = await runPipeline(deps, firms, {
    requestedBy: 'command',
    signal: new AbortController().signal,
  })
  if (error) throw error
  return run
}

/** Returns a hash of the warehouse's firm data without timestamps and run IDs. */
const contents = (url: string) =>
  askDatabase<string>(
    url,
    `with rows as (
      select 'firm' as tab, firm_id, to_jsonb(firm) - array['run_id', 'recorded_at', 'first_seen_at', 'last_changed_at', 'gone_at', 'valid_to']
        || jsonb_build_object('gone', gone_at is not null) as row from warehouse.firm
      union all
      select 'past', firm_id, to_jsonb(firm_previous) - array['run_id', 'recorded_at', 'superseded_at'] from warehouse.firm_previous
      union all
      select 'quarantine', key, jsonb_build_object('reason', reason, 'record', record) from warehouse.quarantine
    )
    select md5(string_agg(tab || row::text, '' order by tab, firm_id, row::text)) as value from rows`,
  )

const committedRows = (url: string) =>
  askDatabase<number>(
    url,
    'select coalesce(sum(inserted + updated + unchanged + quarantined), 0)::int as value from sync.range_state',
  )

/** Returns the number of rows counted by the last run and the run that it resumed. */
const countedRows = (url: string) =>
  askDatabase<number>(
    url,
    `select sum(run.inserted + run.updated + run.unchanged + run.quarantined)::int as value
     from sync.run join (select max(id) as id from sync.run) last on true
     where run.id = last.id or run.id = (select continues_id from sync.run where id = last.id)`,
  )
