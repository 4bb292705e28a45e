/**
 * npm run bench -- demo-nights [COMPANIES]: runs `talhouse up` in an empty folder with 200 demo companies (maximum
 * 1,000). Prints the run table of the first nightly run, and of a `talhouse run nightly` immediately after it. About 2
 * minutes.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'

const TALHOUSE = join(import.meta.dirname, '../../bin/talhouse.js')
const companies = Number(process.argv[2] ?? 200)
const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-bench-'))
const env = {
  ...process.env,
  TALHOUSE_DATA_DIR: dataDir,
  TALHOUSE_DEMO_COMPANIES: String(companies),
  TALHOUSE_HTTP_PORT: String(await freePort()),
  TALHOUSE_POSTGRES_PORT: '0',
  TALHOUSE_LOG_LEVEL: 'error',
}
const talhouse = (...args: string[]): string =>
  execFileSync(process.execPath, [TALHOUSE, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const started = performance.now()
const up = spawn(process.execPath, [TALHOUSE, 'up'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  await firstNight()
  console.log(`First night over ${Math.round((performance.now() - started) / 1000)} s after the start\n`)
  const [first] = JSON.parse(talhouse('runs', 'list', 'nightly', '--json')) as { id: number }[]
  console.log(talhouse('runs', 'show', String(first?.id)))
  console.log(talhouse('run', 'nightly'))
  const text = `select (select count(*) from warehouse.tal_member) as members, (select count(*) from warehouse.person) as persons,
    (select count(*) from warehouse.signal) as signals, (select count(*) from warehouse.history_event) as events`
  console.log(talhouse('query', text))
} finally {
  up.kill('SIGTERM')
  await once(up, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}

/** Resolves when `up` has printed its next steps after the first nightly run. */
async function firstNight(): Promise<void> {
  let text = ''
  for await (const chunk of up.stdout) {
    text += String(chunk)
    if (text.includes('Query the warehouse')) return
  }
  throw new Error(`talhouse up ended: ${text}`)
}
