/**
 * npm run chaos -- hostile-filters [FIRMS] [READS]: one client sends 24 expensive filters at once, without pause, while
 * another client reads, against `serve` and then `up`. Fails if the reader's p99 exceeds 250 ms or a response is a 5xx.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSampleRoster } from '../../src/form-adv/sample-roster.ts'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'
import { readBesideHostile } from './hostile-readers.ts'

const COMMAND = join(import.meta.dirname, '../../bin/talhouse.js')
/** The SEC's roster has about 15,000 firms. */
const [firms = 15_000, reads = 300] = process.argv.slice(2).map(Number)
const HOSTILE = 24
const P99_MS = 250

const folder = await mkdtemp(join(tmpdir(), 'talhouse-chaos-'))
await using stack = new AsyncDisposableStack()
stack.defer(() => rm(folder, { recursive: true, force: true }))
const env = {
  ...process.env,
  TALHOUSE_DATA_DIR: join(folder, 'data'),
  TALHOUSE_HTTP_PORT: String(await freePort()),
  TALHOUSE_POSTGRES_PORT: String(await freePort()),
  TALHOUSE_LOG_LEVEL: 'error',
  TALHOUSE_DEMO_COMPANIES: '0',
}
const url = `http://127.0.0.1:${env.TALHOUSE_HTTP_PORT}`
const talhouse = (...words: string[]) =>
  execFileSync(process.execPath, [COMMAND, ...words], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const roster = join(folder, 'roster.csv')
await writeSampleRoster(roster, { firms })
talhouse('firms', 'import', roster, '--as-of', '2026-06-01')
const keyOf = (client: string): string => {
  talhouse('clients', 'create', client, '--id', client, '--reads-per-minute', '1000000')
  return JSON.parse(talhouse('keys', 'create', client, '--json')).key
}
const [hostileKey, readerKey] = [keyOf('hostile'), keyOf('reader')]

const rows = []
for (const command of ['serve', 'up']) {
  const server = spawn(process.execPath, [COMMAND, command], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  await untilReady()
  const options = { url, hostileKey, readerKey, reads, pause: 20 }
  for (const hostile of [0, HOSTILE])
    rows.push({ command, attackers: hostile, ...(await readBesideHostile({ ...options, hostile })) })
  server.kill('SIGINT')
  await ended
}
console.table(rows.map((row) => ({ ...row, reads: JSON.stringify(row.reads), hostile: JSON.stringify(row.hostile) })))
const isHarmed = rows.some(
  ({ attackers, p99, reads }) =>
    (attackers > 0 && p99 >= P99_MS) || Object.keys(reads).some((status) => Number(status) >= 500),
)
process.exitCode = isHarmed ? 1 : 0

async function untilReady(): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (reply?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
