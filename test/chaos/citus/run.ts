/**
 * `npm run chaos -- citus`: starts a Citus cluster (a coordinator and two workers) and runs the tests of the interface,
 * of concurrent workers, of erasures and of killed nights on it. Then imports rosters, enriches the demo web and runs
 * three nights on PostgreSQL and on Citus, and compares the rows of both. Takes about 12 minutes on two idle cores.
 * `npm run chaos -- citus --start` only starts the cluster, prints the variable for `npm test`, and stops the cluster on
 * Ctrl-C. `npm run chaos -- citus --compare` only compares the rows.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { citusProblem, startCitusCluster } from './start-cluster.ts'

/** Tests of the service database. The other tests use only the warehouse or their own server. */
const SUITE = [
  ...['audit', 'auth', 'companies', 'db', 'history', 'http', 'privacy', 'tasks', 'units', 'webhooks', 'worker'],
  ...['firms', 'form-adv/import-real-rosters', 'form-adv/import-bad-files', 'e2e/nightly', 'e2e/erasure'],
  ...['e2e/freshness', 'pipelines/kill-books', 'pipelines/own-service'],
].map((path) => `test/suite/${path}`)
const VITEST = 'node_modules/vitest/vitest.mjs'
const CONTENTS = ['--config', 'vitest.long.config.ts', 'test/chaos/citus/record-contents']

const problem = citusProblem()
if (problem) console.log(`skipped: ${problem}`)
else await run(process.argv.slice(2))

async function run(options: readonly string[]): Promise<void> {
  await using cluster = await startCitusCluster({
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const env = { TALHOUSE_TEST_CITUS_URLS: cluster.nodes.join(',') }
  if (options.includes('--start')) {
    console.log(`TALHOUSE_TEST_CITUS_URLS=${env.TALHOUSE_TEST_CITUS_URLS}`)
    // Waiting for a signal does not keep the process running.
    const timer = setInterval(() => undefined, 60_000)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    clearInterval(timer)
    return
  }
  const isGreen = options.includes('--compare') || vitest(SUITE, env)
  const isEqual = await compareContents(env)
  process.exitCode = isGreen && isEqual ? 0 : 1
}

function vitest(args: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status === 0
}

/** Reports whether the same work leaves the same rows on PostgreSQL and on Citus. */
async function compareContents(citus: Readonly<Record<string, string>>): Promise<boolean> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-contents-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const record = async (name: string, env: Readonly<Record<string, string>>): Promise<Record<string, string[]>> => {
    const file = join(folder, name)
    if (!vitest(CONTENTS, { ...env, TALHOUSE_TEST_CONTENTS: file })) return {}
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string[]>
  }
  const onPostgres = await record('postgres', {})
  const onCitus = await record('citus', citus)
  const tables = Object.keys({ ...onPostgres, ...onCitus }).map((table) => {
    const [one = [], other = []] = [onPostgres[table], onCitus[table]]
    return { table, rows: one.length, onlyPostgres: missing(one, other), onlyCitus: missing(other, one) }
  })
  console.table(
    tables.map(({ table, rows, onlyPostgres, onlyCitus }) => ({
      table,
      rows,
      'only on PostgreSQL': onlyPostgres.length,
      'only on Citus': onlyCitus.length,
    })),
  )
  for (const { table, onlyPostgres, onlyCitus } of tables)
    for (const row of [...onlyPostgres, ...onlyCitus].slice(0, 5)) console.log(`${table}: ${row.slice(0, 400)}`)
  return (
    tables.length > 0 &&
    tables.every(({ onlyPostgres, onlyCitus }) => onlyPostgres.length === 0 && onlyCitus.length === 0)
  )
}

/** The rows of `one` that are missing from `other`. Both may contain a row several times. */
function missing(one: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const row of other) left.set(row, (left.get(row) ?? 0) + 1)
  return one.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count <= 0
  })
}
