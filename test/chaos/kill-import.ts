import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import HEADINGS from '../../src/form-adv/roster-headings.json' with { type: 'json' }
import { withDatabase } from '../../src/lib/postgres.ts'
import { askDatabase, cloneDatabase, dropDatabase, onClone, randomFrom } from '../helpers/cloned-database.ts'

const VICTIM = join(import.meta.dirname, 'import-victim.ts')
const FIRMS = 1200

/** Result of killing one import. */
export interface ImportKillReport {
  seed: number
  /** Phase of the import at the kill; 'done' if the import had already reported success. */
  phase: 'reads' | 'merges' | 'done'
  /** State of the data right after the kill, and after PostgreSQL has closed the dead connection. */
  found: 'old' | 'new' | 'half'
  settled: 'old' | 'new' | 'half'
  /** Whether importing the same file again results in the state of an uninterrupted import. */
  healed: boolean
}

export interface ImportKillingGround extends AsyncDisposable {
  /** Kills an import at a moment derived from the seed, inspects the state, and imports again. */
  kill(seed: number): Promise<ImportKillReport>
}

/**
 * Prepares a service with the July roster, and the October roster to import, in which firms are added, changed, removed
 * and rejected. The URLs have the same meaning as in `prepareKillingGround`.
 */
export async function prepareImportKills(server: string, template: string): Promise<ImportKillingGround> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-kill-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const [july, october] = [join(folder, 'ia070122.csv'), join(folder, 'ia100322.csv')]
  await writeFile(july, roster('7/1/2022', 0, FIRMS))
  await writeFile(october, roster('10/3/2022', 20, FIRMS + 60))
  const standing = `import_july_${process.pid}`
  await cloneDatabase(server, template, standing)
  stack.defer(() => dropDatabase(server, standing))
  await importWhole(withDatabase(server, standing), july)
  const old = await contents(withDatabase(server, standing))
  const [fresh, durations] = await onClone(server, standing, `${standing}_expected`, async (url) => {
    const took = await importWhole(url, october)
    return [await contents(url), took] as const
  })
  if (fresh === old) throw new Error('the import changed nothing, so a kill proves nothing')
  const judge = async (url: string) => {
    const now = await contents(url)
    return now === old ? 'old' : now === fresh ? 'new' : 'half'
  }
  const rest = stack.move()
  return {
    kill: (seed) =>
      onClone(server, standing, `${standing}_${seed}`, async (url) => {
        const phase = await killOnce(url, october, seed, durations)
        const found = await judge(url)
        await letGo(url)
        const settled = await judge(url)
        await importWhole(url, october)
        return { seed, phase, found, settled, healed: (await judge(url)) === 'new' }
      }),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

/** Duration of reading and merging, in milliseconds. */
interface Durations {
  reads: number
  merges: number
}

async function killOnce(
  url: string,
  file: string,
  seed: number,
  durations: Durations,
): Promise<ImportKillReport['phase']> {
  const random = randomFrom(seed)
  const at = random() < 0.3 ? 'reads' : 'merges'
  // Delays may exceed the duration, so that some kills hit the commit, where a partial state would be visible.
  const delay = random() * durations[at] * 1.1
  const victim = startVictim(url, file)
  const ended = once(victim, 'exit')
  let phase: ImportKillReport['phase'] = 'reads'
  for await (const word of words(victim)) {
    phase = word
    if (word === at) setTimeout(() => victim.kill('SIGKILL'), delay)
  }
  await ended
  return phase
}

/** Imports the roster without interruption, also in a separate process. */
async function importWhole(url: string, file: string): Promise<Durations> {
  const victim = startVictim(url, file)
  const ended = once(victim, 'exit')
  const moments: Record<string, number> = {}
  for await (const word of words(victim)) moments[word] = performance.now()
  const [code] = await ended
  const { reads = Number.NaN, merges = Number.NaN, done = Number.NaN } = moments
  if (code !== 0 || Number.isNaN(done)) throw new Error(`an uninterrupted import exited with ${code}`)
  return { reads: merges - reads, merges: done - merges }
}

const startVictim = (url: string, file: string): ChildProcess =>
  spawn(process.execPath, [VICTIM, url, file], { stdio: ['ignore', 'pipe', 'inherit'] })

async function* words({ stdout }: ChildProcess): AsyncGenerator<ImportKillReport['phase']> {
  if (!stdout) return
  for await (const line of createInterface({ input: stdout })) yield line as ImportKillReport['phase']
}

/**
 * Waits until PostgreSQL has closed the dead client's transaction, which stays open until the server next sends data to
 * the client.
 */
async function letGo(url: string): Promise<void> {
  const others = `select count(*)::int as value from pg_stat_activity
    where datname = current_database() and application_name = 'talhouse victim'`
  for (let turn = 0; (await askDatabase<number>(url, others)) > 0; turn += 1) {
    if (turn === 600) throw new Error('the dead connection is still there after 30 seconds')
    await sleep(50)
  }
}

/** Returns a hash of the rows that an import writes, without import IDs, timestamps and the random revision. */
const contents = (url: string) =>
  askDatabase<string>(
    url,
    `with rows as (
      select 'firm' as tab, to_jsonb(firm) - 'gone_at' - 'first_import_id' as row from firm
      union all select 'change', to_jsonb(firm_change) - 'import_id' from firm_change
      union all select 'quarantine', to_jsonb(firm_quarantine) - 'import_id' from firm_quarantine
      union all select 'rank', to_jsonb(firm_rank) from firm_rank
      union all select 'dataset', to_jsonb(firm_dataset) - 'revision' from firm_dataset
      union all select distinct 'file', to_jsonb(sha256) from firm_import
      union all select 'company', jsonb_build_array(domain, in_formadv, crd_number) from company
    )
    select md5(string_agg(tab || row::text, '' order by tab, row::text)) as value from rows`,
  )

/** Generates the firms `from` to `to` as of a date. Every fourth firm differs by date, and a few rows are malformed. */
function roster(day: string, from: number, to: number): string {
  const later = from > 0
  const firms = Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset
    const cells: Record<string, string> = {
      'SEC Region': 'NYRO',
      'Organization CRD#': String(1000 + index),
      'SEC#': `801-${5000 + index}`,
      'Firm Type': 'Registered',
      'Primary Business Name': `EXAMPLE ${index}`,
      'Legal Name': `EXAMPLE ${index} LLC`,
      'Latest ADV Filing Date': index % 4 === 0 ? day : '3/4/2022',
      'Form Version': 'Oct-21',
      'Website Address': `HTTP://WWW.EXAMPLE${index}.EXAMPLE`,
      '5A': index % 300 === 7 && later ? 'many' : String(index % 4 === 0 && later ? 7 * index : index),
    }
    return HEADINGS.map((heading) => cells[heading] ?? '')
  })
  return stringify([HEADINGS, ...firms], { record_delimiter: 'windows' })
}
