import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { nightly } from '../../pipelines/nightly.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../pipelines/runner/runs.ts'
import type { PipelineSettings } from '../../pipelines/runner/settings.ts'
import { directorySink } from '../../pipelines/sinks/directory.ts'
import { createSnapshot } from '../../pipelines/snapshot/create-snapshot.ts'
import { diffSnapshots } from '../../pipelines/snapshot/diff-snapshots.ts'
import { readLatest, readManifest } from '../../pipelines/snapshot/manifest.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { databaseClock } from '../../src/lib/database-clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres, withDatabase } from '../../src/lib/postgres.ts'
import { askDatabase, cloneDatabase, dropDatabase, onClone, randomFrom } from '../helpers/cloned-database.ts'
import { PIPELINE_SETTINGS, pipelineDeps } from '../helpers/pipeline-deps.ts'
import { staleChanges } from '../helpers/stale-changes.ts'
import type { StrangeHost } from '../helpers/strange-host.ts'
import { startStrangeHost } from '../helpers/strange-host.ts'
import { paidTwice, unitsUnaccounted } from '../helpers/strange-truth.ts'
import type { StrangeWorld } from '../helpers/strange-world.ts'
import { firstDay, secondDay } from './two-days.ts'
import { warehouseContents, watermarksAhead } from './warehouse-contents.ts'

const VICTIM = join(import.meta.dirname, 'nightly-victim.ts')

/**
 * Variants of a nightly run: enriching the whole list at once, enriching it in batches within the nightly budget,
 * requesting only changed records from a host with `history_at`, and pulling the list from such a host by cursor.
 */
const WAYS = {
  list: { enrich: {}, reportsHistory: false, behavior: {} },
  batch: { enrich: { units_per_night: 9, batch: 2 }, reportsHistory: false, behavior: {} },
  told: { enrich: { units_per_night: 9, batch: 4 }, reportsHistory: true, behavior: {} },
  cursor: {
    enrich: { units_per_night: 9, batch: 4 },
    reportsHistory: true,
    behavior: { list: { pageSize: 2, cursors: true, total: true } },
  },
} as const
type Way = keyof typeof WAYS
const WAY_NAMES = Object.keys(WAYS) as Way[]

/** Result of the kills for one seed. */
export interface NightReport {
  seed: number
  way: Way
  /** The step that was running at each kill; empty if the nightly run finished first. */
  killedIn: string[]
  /** Tables that differ from those of an uninterrupted nightly run, and exports that differ from the warehouse. */
  differing: string[]
  /** Companies charged more than once, according to the host's ledger. */
  paidTwice: string[]
  /** Units charged by the host minus units recorded in the warehouse. */
  unitsUnaccounted: number
  /** Watermarks ahead of the data: after each kill, and at the end. */
  marksAhead: string[]
  /** Personnel changes that differ from the history: after each kill, and at the end. */
  staleChanges: string[]
  outcome: string
}

export interface NightKillingGround extends AsyncDisposable {
  kill(seed: number): Promise<NightReport>
}

interface Ground {
  server: string
  host: StrangeHost
  folder: string
  /** For each variant: a warehouse with the first day's data, and the host's data on the second day. */
  days: Record<Way, { template: string; world: StrangeWorld }>
}

interface Expected {
  contents: Record<string, string>
  requests: number
}

/**
 * Prepares warehouses with the first day's data, and a host with the second day's data. Each kill uses clones of both.
 * `server` is the URL of any database on the server; `template` is a migrated warehouse there. Several instances can
 * run at once under different names.
 */
export async function prepareNights(server: string, template: string, name = 'nights'): Promise<NightKillingGround> {
  await using stack = new AsyncDisposableStack()
  const host = stack.use(await startStrangeHost())
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-nights-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const empty = structuredClone(host.world)
  const ground = { server, host, folder, days: {} as Ground['days'] }
  const expected = {} as Record<Way, Expected>
  for (const way of WAY_NAMES) {
    const first = `${name}_${process.pid}_${way}`
    await cloneDatabase(server, template, first)
    stack.defer(() => dropDatabase(server, first))
    const { reportsHistory, behavior } = WAYS[way]
    host.world = { ...structuredClone(empty), reportsHistory, behavior }
    firstDay(host.world)
    await night(withDatabase(server, first), host, join(folder, 'first'), { units_per_night: 0 })
    secondDay(host.world)
    ground.days[way] = { template: first, world: structuredClone(host.world) }
    expected[way] = await uninterrupted(ground, way)
  }
  const rest = stack.move()
  return {
    kill: (seed) => killNight(ground, seed, expected),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

const uninterrupted = (ground: Ground, way: Way): Promise<Expected> =>
  onClone(ground.server, ground.days[way].template, `${ground.days[way].template}_whole`, async (url) => {
    ground.host.world = structuredClone(ground.days[way].world)
    ground.host.requests.length = 0
    await night(url, ground.host, join(ground.folder, `whole-${way}`), WAYS[way].enrich)
    return { contents: await warehouseContents(url), requests: ground.host.requests.length }
  })

async function killNight(ground: Ground, seed: number, expected: Record<Way, Expected>): Promise<NightReport> {
  const way = WAY_NAMES[seed % WAY_NAMES.length] as Way
  const { template, world } = ground.days[way]
  const folder = join(ground.folder, String(seed))
  try {
    return await onClone(ground.server, template, `${template}_${seed}`, async (url) => {
      const { host } = ground
      const random = randomFrom(seed)
      host.world = structuredClone(world)
      const killedIn: string[] = []
      const marksAhead: string[] = []
      const stale: string[] = []
      await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'judge', connections: 1 })
      // In every third pass over the variants, the resuming run is killed too.
      const blows = Math.floor(seed / WAY_NAMES.length) % 3 === 0 ? 2 : 1
      let over = false
      for (let kill = 0; !over && kill < blows; kill += 1) {
        const step = await killOnce({ url, host, folder, way, requests: expected[way].requests, random })
        if (step !== undefined) killedIn.push(step)
        over = step === undefined
        marksAhead.push(...(await watermarksAhead(url)))
        stale.push(...(await staleChanges(warehouse.db)))
      }
      // A finished nightly run is not repeated; that would be the next night's run.
      const run = over ? undefined : await night(url, host, folder, WAYS[way].enrich)
      marksAhead.push(...(await watermarksAhead(url)))
      stale.push(...(await staleChanges(warehouse.db)))
      const contents = await warehouseContents(url)
      return {
        seed,
        way,
        killedIn,
        differing: [
          ...Object.keys(contents).filter((table) => contents[table] !== expected[way].contents[table]),
          ...(await differingExport(url, folder)),
        ],
        paidTwice: paidTwice(host.world),
        unitsUnaccounted: await unitsUnaccounted(warehouse.db, world.units - host.world.units),
        marksAhead,
        staleChanges: stale,
        outcome: run?.outcome ?? 'over',
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the tables of the latest snapshot whose rows differ from the warehouse. */
async function differingExport(url: string, folder: string): Promise<string[]> {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'judge', connections: 1 })
  const sink = directorySink(folder)
  if ((await readLatest(sink)) === undefined) return ['no export']
  const published = await readManifest(sink)
  const { manifest: now } = await createSnapshot(warehouse, sink, { clock: databaseClock(warehouse.db), id: 'judge' })
  const differences = await diffSnapshots(sink, published, now)
  return differences
    .filter(({ added, removed, changed }) => added + removed + changed > 0)
    .map(({ table }) => `export of ${table}`)
}

interface Blow {
  url: string
  host: StrangeHost
  folder: string
  way: Way
  /** Number of requests in an uninterrupted nightly run. */
  requests: number
  random: () => number
}

/** Returns the step that was running at the kill, or undefined if the nightly run had finished. */
async function killOnce({ url, host, folder, way, requests, random }: Blow): Promise<string | undefined> {
  // A tenth of the kills happen after the last request, during the export.
  const late = random() < 0.1
  const atRequest = late ? requests : 1 + Math.floor(random() * requests)
  const delay = random() * (late ? 150 : 12)
  const settings = JSON.stringify(settingsOf(WAYS[way].enrich))
  const victim = spawn(process.execPath, [VICTIM, url, host.url, folder, settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'talhouse-chaos-compiled') },
  })
  let seen = 0
  let killed = false
  host.fault = () => {
    seen += 1
    if (seen === atRequest)
      setTimeout(() => {
        killed = victim.kill('SIGKILL')
      }, delay)
    return undefined
  }
  await once(victim, 'exit')
  host.fault = undefined
  if (!killed) return undefined
  const state = await askDatabase<string | null>(
    url,
    `select coalesce((select pipeline from sync.run where state = 'running' and parent_id is not null order by id desc limit 1), 'between steps') as value
     from (select state from sync.run where pipeline = 'nightly' order by id desc limit 1) night where state = 'running'
     union all select null limit 1`,
  )
  return state ?? undefined
}

const settingsOf = (enrich: Partial<PipelineSettings['enrich']>): Partial<PipelineSettings> => ({
  nightly: { ...PIPELINE_SETTINGS.nightly, repair_nights: 2 },
  // This host never records a submission late, so the resuming run immediately resends submissions that did not arrive.
  enrich: { ...PIPELINE_SETTINGS.enrich, grace_minutes: 0, ...enrich },
})

async function night(
  url: string,
  host: StrangeHost,
  folder: string,
  enrich: Partial<PipelineSettings['enrich']>,
): Promise<Run> {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'heir', connections: 10 })
  await using client = createHostClient({ baseUrl: host.url, apiKey: 'key', concurrency: 4 })
  const deps = pipelineDeps(warehouse, client, settingsOf(enrich), folder)
  const { run, error } = await runPipeline(deps, nightly, {
    requestedBy: 'command',
    signal: new AbortController().signal,
  })
  if (error) throw error
  return run
}
