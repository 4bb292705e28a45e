import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nightly } from '../../pipelines/nightly.ts'
import { runPipeline } from '../../pipelines/run.ts'
import type { PipelineSettings } from '../../pipelines/settings.ts'
import type { Run } from '../../pipelines/state/runs.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { createClient } from '../../src/client/index.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres, withDatabase } from '../../src/lib/postgres.ts'
import { askDatabase, cloneDatabase, dropDatabase, onClone, randomFrom } from '../helpers/cloned-database.ts'
import { PIPELINE_SETTINGS, pipelineDeps } from '../helpers/pipeline-deps.ts'
import type { StrangeHost, StrangeWorld } from '../helpers/strange-host.ts'
import { startStrangeHost } from '../helpers/strange-host.ts'
import { firstDay, secondDay } from './two-days.ts'
import { warehouseContents, watermarksAhead } from './warehouse-contents.ts'

const VICTIM = join(import.meta.dirname, 'nightly-victim.ts')

/** Both ways to pay: the whole list at once, and by batches within the budget of the night. */
const WAYS = { list: {}, batch: { units_per_night: 9, batch: 2 } } as const
type Way = keyof typeof WAYS

/** What the kills of one seed showed. */
export interface NightReport {
  seed: number
  way: Way
  /** The step that was under way at each kill; empty: the night was over before. */
  killedIn: string[]
  /** Tables that differ from those of an uninterrupted night. */
  differing: string[]
  /** Companies that were paid for more than once, by the host's ledger. */
  paidTwice: string[]
  /** Units that the host charged, less those that the warehouse knows of. */
  unitsUnaccounted: number
  /** Watermarks ahead of the data: after each kill, and at the end. */
  marksAhead: string[]
  outcome: string
}

export interface NightKillingGround extends AsyncDisposable {
  kill(seed: number): Promise<NightReport>
}

interface Ground {
  server: string
  template: string
  host: StrangeHost
  world: StrangeWorld
  folder: string
}

interface Expected {
  contents: Record<string, string>
  requests: number
}

/**
 * A warehouse that holds the first day, and a host that shows the second. Every kill works on a clone of that warehouse and of that
 * world. `server` is the address of any database on the server; `template` is a migrated warehouse there.
 */
export async function prepareNights(server: string, template: string): Promise<NightKillingGround> {
  await using stack = new AsyncDisposableStack()
  const host = stack.use(await startStrangeHost())
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-nights-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const first = `nights_${process.pid}`
  await cloneDatabase(server, template, first)
  stack.defer(() => dropDatabase(server, first))
  firstDay(host.world)
  await night(withDatabase(server, first), host, folder, { units_per_night: 0 })
  secondDay(host.world)
  const ground = { server, template: first, host, world: structuredClone(host.world), folder }
  const expected = { list: await uninterrupted(ground, 'list'), batch: await uninterrupted(ground, 'batch') }
  const rest = stack.move()
  return {
    kill: (seed) => killNight(ground, seed, expected),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

const uninterrupted = (ground: Ground, way: Way): Promise<Expected> =>
  onClone(ground.server, ground.template, `${ground.template}_${way}`, async (url) => {
    ground.host.world = structuredClone(ground.world)
    ground.host.requests.length = 0
    await night(url, ground.host, ground.folder, WAYS[way])
    return { contents: await warehouseContents(url), requests: ground.host.requests.length }
  })

const killNight = (ground: Ground, seed: number, expected: Record<Way, Expected>): Promise<NightReport> =>
  onClone(ground.server, ground.template, `${ground.template}_${seed}`, async (url) => {
    const { host, folder } = ground
    const random = randomFrom(seed)
    const way = seed % 2 === 0 ? 'list' : 'batch'
    host.world = structuredClone(ground.world)
    const killedIn: string[] = []
    const marksAhead: string[] = []
    // Every third seed kills the heir too.
    let over = false
    for (let kill = 0; !over && kill < (seed % 3 === 0 ? 2 : 1); kill += 1) {
      const step = await killOnce(url, ground, way, expected[way].requests, random)
      if (step !== undefined) killedIn.push(step)
      over = step === undefined
      marksAhead.push(...(await watermarksAhead(url)))
    }
    // A night that was over is not run again: another would be the next.
    const run = over ? undefined : await night(url, host, folder, WAYS[way])
    marksAhead.push(...(await watermarksAhead(url)))
    const contents = await warehouseContents(url)
    const paid = [...host.world.tasks.values()].flatMap(({ domains }) => domains)
    const known = await askDatabase<number>(
      url,
      `select coalesce(sum(units_charged - coalesce(units_refunded, 0)), 0)::int as value from warehouse.submission`,
    )
    return {
      seed,
      way,
      killedIn,
      differing: Object.keys(contents).filter((table) => contents[table] !== expected[way].contents[table]),
      paidTwice: paid.filter((domain, index) => paid.indexOf(domain) !== index),
      unitsUnaccounted: ground.world.units - host.world.units - known,
      marksAhead,
      outcome: run?.outcome ?? 'over',
    }
  })

/** Returns the step that was under way, or undefined when the night ended before the blow. */
async function killOnce(
  url: string,
  ground: Ground,
  way: Way,
  requests: number,
  random: () => number,
): Promise<string | undefined> {
  const { host, folder } = ground
  // A tenth of the blows fall after the last request: into the export.
  const late = random() < 0.1
  const atRequest = late ? requests : 1 + Math.floor(random() * requests)
  const delay = random() * (late ? 150 : 12)
  const settings = JSON.stringify({ enrich: { ...PIPELINE_SETTINGS.enrich, ...WAYS[way] } })
  const victim = spawn(process.execPath, [VICTIM, url, host.url, folder, settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
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

async function night(
  url: string,
  host: StrangeHost,
  folder: string,
  enrich: Partial<PipelineSettings['enrich']>,
): Promise<Run> {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'heir', connections: 10 })
  await using client = createClient({ baseUrl: host.url, apiKey: 'key', concurrency: 4 })
  const deps = pipelineDeps(warehouse, client, { enrich: { ...PIPELINE_SETTINGS.enrich, ...enrich } }, folder)
  const { run, error } = await runPipeline(deps, nightly, {
    requestedBy: 'command',
    signal: new AbortController().signal,
  })
  if (error) throw error
  return run
}
