/**
 * `npm run chaos -- backup [NIGHTS]`: a backup drill with the commands in docs/operations.md. Backs up `talhouse up`
 * while clients submit work, starts further nightly runs, kills every process, moves the data folder away, restores the
 * backup into a fresh folder and starts talhouse there. Prints the seconds of lost work and the seconds until the first
 * response. Fails if a task accepted before the backup is missing, if the ledger does not balance, if a repeated
 * submission is charged twice, or if the next nightly run is not `ok`.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '../../src/client/index.ts'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'
import { startDemoProcess } from '../helpers/demo-process.ts'
import { eventually } from '../helpers/eventually.ts'

const COMMAND = join(import.meta.dirname, '../../bin/talhouse.js')
const COMPANIES = 20

interface Accepted {
  readonly order: string
  readonly domain: string
  readonly taskId: string
  readonly at: number
}

const nights = Number(process.argv[2] ?? 2)
await using stack = new AsyncDisposableStack()
const base = await mkdtemp(join(tmpdir(), 'talhouse-backup-drill-'))
stack.defer(() => rm(base, { recursive: true, force: true }))
const demo = stack.use(await startDemoProcess(COMPANIES))
const dataDir = join(base, 'data')
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env: NodeJS.ProcessEnv = {
  ...process.env,
  TALHOUSE_DATA_DIR: dataDir,
  TALHOUSE_BACKUP_URL: `file://${join(base, 'backups')}`,
  TALHOUSE_HTTP_PORT: String(port),
  TALHOUSE_POSTGRES_PORT: String(await freePort()),
  TALHOUSE_DEMO_COMPANIES: '0',
  TALHOUSE_FETCHING_CONNECT_TO: demo.connectTo.join(','),
  TALHOUSE_FETCHING_EXTRA_CA_FILES: demo.authorityFile,
  TALHOUSE_LOG_LEVEL: 'error',
}

let printed = ''
let up = start()
stack.defer(() => stop('SIGTERM'))
await ready()
await eventually('the first night ends', async () => printed.includes('Press Ctrl-C to stop'), 240)
await talhouse('tal', 'add', ...demo.domains, '--source', 'drill')
const { key } = JSON.parse(await talhouse('keys', 'create', 'main', '--json')) as { key: string }
const client = createClient({ baseUrl: url, apiKey: key, retry: { attempts: 1 } })

const accepted: Accepted[] = []
const ended = new AbortController()
const load = submitUntil(ended.signal)
await eventually('work is accepted', async () => accepted.length >= 20, 60)
const backupAt = Date.now()
const backup = JSON.parse(await talhouse('backup', 'create', '--json')) as {
  id: string
  bytes: number
  seconds: number
}
console.log(`backup ${backup.id}: ${(backup.bytes / 1e6).toFixed(1)} MB in ${backup.seconds} s, under load`)
for (let night = 1; night <= nights; night += 1) await talhouse('run', 'nightly')

await Promise.all([stop('SIGKILL'), killPostgres()])
const destroyedAt = Date.now()
ended.abort()
await load
await rename(dataDir, join(base, 'destroyed'))

await talhouse('backup', 'verify', backup.id)
const recovering = performance.now()
await talhouse('backup', 'restore', backup.id)
up = start()
await ready()
const recovery = (performance.now() - recovering) / 1000

const present = await restoredTasks()
const lost = accepted.filter(({ taskId }) => !present.has(taskId))
const lostBefore = lost.filter(({ at }) => at < backupAt)
const newest = Math.max(...accepted.filter(({ taskId }) => present.has(taskId)).map(({ at }) => at))
const reconciledAtStart = (await talhouse('units', 'reconcile')).trim()

// Clients retry requests whose results were lost, with the same idempotency keys.
const repeated = new Set<string>()
let charged = 0
for (const { order, domain } of lost) {
  const reply = await submit(order, domain)
  repeated.add(reply.task_id)
  charged += reply.units_charged
  await submit(order, domain)
}
await eventually(
  'all tasks end',
  async () => (await client.tasks.list({ limit: 100, status: 'queued' })).tasks.length === 0,
  300,
)
await eventually(
  'no task runs',
  async () => (await client.tasks.list({ limit: 100, status: 'running' })).tasks.length === 0,
  300,
)
const night = JSON.parse(await talhouse('run', 'nightly', '--json')) as { outcome: string }
const reconciled = (await talhouse('units', 'reconcile')).trim()

console.log({
  accepted: accepted.length,
  lost: lost.length,
  lostBefore: lostBefore.length,
  repeated: repeated.size,
  unitsOfRepeats: charged,
  'recovery point (s)': round((destroyedAt - newest) / 1000),
  'since the backup (s)': round((destroyedAt - backupAt) / 1000),
  'recovery time (s)': round(recovery),
  reconciledAtStart,
  reconciled,
  night: night.outcome,
})
if (lostBefore.length > 0 || lost.length === 0 || repeated.size !== lost.length || charged !== lost.length)
  process.exitCode = 1

function start(): ChildProcess {
  const child = spawn(process.execPath, [COMMAND, 'up'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  return child
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (up.exitCode !== null || up.signalCode !== null) return
  const exited = once(up, 'exit')
  up.kill(signal)
  await exited
}

/** Kills the database server, which keeps running when `talhouse up` is killed. */
async function killPostgres(): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  process.kill(Number(file.split('\n', 1)[0]), 'SIGKILL')
}

async function ready(): Promise<void> {
  await eventually(
    'the service is ready',
    async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok,
    120,
  )
}

/** Runs a command. Throws unless the command succeeds, so a nightly run that is not `ok` fails the drill. */
async function talhouse(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const printed = await text(child.stdout)
  const [code] = await exited
  if (code !== 0) throw new Error(`talhouse ${args.join(' ')} exited with ${code}: ${printed}`)
  return printed
}

function submit(order: string, domain: string) {
  return client.enrich.company({ domain, force: true }, { idempotencyKey: order })
}

/** Submits companies sequentially, and records accepted submissions. */
async function submitUntil(signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const domain = demo.domains[count % demo.domains.length] as string
    const order = `drill-${count}`
    await submit(order, domain).then(
      ({ task_id }) => accepted.push({ order, domain, taskId: task_id, at: Date.now() }),
      () => undefined,
    )
    await wait(200)
  }
}

/** Returns the IDs of the tasks in the restored database. */
async function restoredTasks(): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { taskId } of accepted) if (await client.tasks.get(taskId).then(Boolean, () => false)) found.add(taskId)
  return found
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
