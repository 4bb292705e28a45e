import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { openPostgres } from '../../src/lib/postgres.ts'
import { onClone, randomFrom } from '../helpers/cloned-database.ts'
import type { Combination } from '../helpers/strange-combination.ts'
import { combine } from '../helpers/strange-combination.ts'
import type { Random } from '../helpers/strange-growth.ts'
import { addMisfit, firstNight, nextNight } from '../helpers/strange-growth.ts'
import type { StrangeHost } from '../helpers/strange-host.ts'
import { startStrangeHost } from '../helpers/strange-host.ts'
import { differencesFromHost, paidTwice, unitsUnaccounted } from '../helpers/strange-truth.ts'

const VICTIM = join(import.meta.dirname, 'strange-nights-victim.ts')
const NIGHTS = 5

/** The outcomes of the nightly runs for one seed. */
export interface StrangeReport {
  seed: number
  combination: Combination
  kills: number
  /** Outcome of each nightly run. */
  outcomes: string[]
  reasons: string[]
  /** Differences from the host after runs with the outcome `ok`. */
  wrong: string[]
  paidTwice: string[]
  /** Units charged by the host minus units recorded in the warehouse, after runs with the outcome `ok`. */
  unitsUnaccounted: number
}

export const isBad = ({ wrong, paidTwice: twice, unitsUnaccounted: units }: StrangeReport): boolean =>
  wrong.length + twice.length > 0 || units !== 0

/** The message that the process sends after each nightly run. */
export interface NightDone {
  outcome: string
  reasons: string[]
}

/**
 * Executes five nightly runs against the host of a seed. The process is killed once or twice, at a random request; the
 * next process resumes. `server` is the URL of any database on the server, and `template` is a migrated warehouse
 * there.
 */
export async function runStrangeNights(server: string, template: string, seed: number): Promise<StrangeReport> {
  const random = randomFrom(seed)
  const combination = combine(random)
  await using host = await startStrangeHost()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-strange-'))
  try {
    return await onClone(server, template, `strange_${process.pid}_${seed}`, async (url) => {
      const report: StrangeReport = {
        seed,
        combination,
        kills: 0,
        outcomes: [],
        reasons: [],
        wrong: [],
        paidTwice: [],
        unitsUnaccounted: 0,
      }
      setUp(host, combination, random)
      const units = host.world.units
      const kills = Array.from({ length: 1 + Math.floor(random() * 2) }, () => Math.floor(random() * NIGHTS))
      await runNights({ url, host, folder, combination, random, kills, units, report })
      report.paidTwice = paidTwice(host.world)
      return report
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function setUp(host: StrangeHost, { behavior, reportsHistory, hasMisfit }: Combination, random: Random): void {
  host.world.behavior = behavior
  host.world.reportsHistory = reportsHistory
  firstNight(host.world, random)
  if (hasMisfit) addMisfit(host.world)
}

interface Nights {
  url: string
  host: StrangeHost
  folder: string
  combination: Combination
  random: Random
  /** Indexes of the nightly runs in which the process is killed. */
  kills: number[]
  units: number
  report: StrangeReport
}

async function runNights(nights: Nights): Promise<void> {
  const { url, host, folder, report, random, kills } = nights
  let victim = startVictim(url, host.url, folder)
  try {
    for (let night = 0; night < NIGHTS; night += 1) {
      if (night > 0) nextNight(host.world, random, night)
      const fault = faultsOf(nights, night)
      let killAt = kills.includes(night) ? 1 + Math.floor(random() * 60) : undefined
      let seen = 0
      host.fault = (request) => {
        seen += 1
        if (seen === killAt) victim.kill('SIGKILL')
        return fault(request)
      }
      let done = await nightOf(victim)
      if (!done) {
        report.kills += 1
        killAt = undefined
        victim = startVictim(url, host.url, folder)
        done = await nightOf(victim)
      }
      host.fault = undefined
      if (!done) throw new Error(`seed ${report.seed}: the process of night ${night} ended`)
      await judge(nights, night, done)
    }
  } finally {
    if (victim.exitCode === null && victim.signalCode === null) victim.kill('SIGKILL')
  }
}

/**
 * Returns the host's faults for a nightly run. With `churns`, the host adds and removes members while the list is read.
 */
function faultsOf({ combination, host, random }: Nights, night: number): NonNullable<StrangeHost['fault']> {
  const { faults, longWait, churns } = combination
  let waits = longWait && night === 2 ? 1 : 0
  return (request) => {
    if (churns && night % 2 === 1 && request.endsWith('/tal/companies') && host.world.tal.length > 4) {
      host.world.tal = [...host.world.tal.slice(2), ...host.world.tal.slice(0, 1)]
    }
    if (waits > 0 && request === 'POST /firms') {
      waits -= 1
      return { status: 429, headers: { 'retry-after': '86400' } }
    }
    // Submissions fail before they are recorded; a separate test covers responses lost after that.
    if (random() >= faults) return undefined
    const kind = random()
    if (kind < 0.3) return { status: 429, headers: { 'retry-after': '0' } }
    return kind < 0.6 || request.startsWith('POST') ? { status: 500 } : 'cut'
  }
}

async function judge({ url, host, units, report }: Nights, night: number, done: NightDone): Promise<void> {
  report.outcomes.push(done.outcome)
  report.reasons.push(...done.reasons.map((reason) => `${night}: ${reason}`))
  if (done.outcome !== 'ok') return
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'judge', connections: 1 })
  const differences = await differencesFromHost(warehouse.db, host.world)
  report.wrong.push(...differences.slice(0, 10).map((line) => `${night}: ${line}`))
  report.unitsUnaccounted ||= await unitsUnaccounted(warehouse.db, units - host.world.units)
}

type Victim = ReturnType<typeof startVictim>

const startVictim = (...args: string[]) =>
  spawn(process.execPath, [VICTIM, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'talhouse-chaos-compiled') },
  })

/** Makes the process execute a nightly run. Returns undefined if the process was killed. */
async function nightOf(victim: Victim): Promise<NightDone | undefined> {
  const ended = new AbortController()
  const { signal } = ended
  try {
    victim.send('night', () => undefined)
    const [done] = await Promise.race([
      once(victim, 'message', { signal }) as Promise<[NightDone]>,
      once(victim, 'exit', { signal }).then(() => [undefined] as const),
    ])
    return done
  } finally {
    ended.abort()
  }
}
