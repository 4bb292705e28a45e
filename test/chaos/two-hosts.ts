/**
 * `npm run chaos -- two-hosts [SECONDS]`: two folders as hosts, each with `serve`, `work` and `schedule` on one external PostgreSQL, with snapshots on
 * S3, set up with the commands of docs/operations.md. Under load, it kills every process of the host that runs a night, starts the host again, and then
 * restarts all processes one at a time, as an upgrade does. Fails if accepted work or a unit is lost, if the killed night causes no alert, if the next
 * night is not `ok`, or if a request fails during the upgrade.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { startAlertReceiver } from '../helpers/alert-receiver.ts'
import { startDemoProcess } from '../helpers/demo-process.ts'
import { eventually } from '../helpers/eventually.ts'
import { startS3StandIn } from '../helpers/s3-stand-in.ts'

const COMMAND = join(import.meta.dirname, '../../bin/talhouse.js')
const ROLES = ['serve', 'work', 'schedule'] as const
const COMPANIES = 30

interface Host {
  readonly name: string
  readonly url: string
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly processes: Map<(typeof ROLES)[number], ChildProcess>
}

interface Load {
  readonly accepted: string[]
  sent: number
  readonly failures: string[]
}

const seconds = Number(process.argv[2] ?? 20)
await using stack = new AsyncDisposableStack()
const base = await mkdtemp(join(tmpdir(), 'talhouse-hosts-'))
stack.defer(() => rm(base, { recursive: true, force: true }))
const database = stack.use(await startEmbeddedPostgres({ dataDir: join(base, 'external'), port: 0 }))
const s3 = stack.use(await startS3StandIn())
const alerts = stack.use(await startAlertReceiver())
const demo = stack.use(await startDemoProcess(COMPANIES))
const settings: Record<string, string> = {
  TALHOUSE_SERVICE_DATABASE_URL: database.url('service'),
  TALHOUSE_WAREHOUSE_DATABASE_URL: database.url('warehouse'),
  TALHOUSE_SNAPSHOT_URL: 's3://talhouse/snapshots',
  TALHOUSE_S3_ENDPOINT: s3.endpoint,
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  TALHOUSE_ALERT_WEBHOOK_URL: `${alerts.url}/chat`,
  TALHOUSE_FETCHING_CONNECT_TO: demo.connectTo.join(','),
  TALHOUSE_FETCHING_EXTRA_CA_FILES: demo.authorityFile,
  TALHOUSE_SCHEDULE_CRON: '* * * * *',
  TALHOUSE_LOG_LEVEL: 'error',
}

const hosts = [await createHost('a'), await createHost('b')] as const
const [first] = hosts
await talhouse(first, 'migrate')
await talhouse(first, 'clients', 'create', 'Main', '--id', 'main', '--units', '100000', '--period', '1 month')
const { key } = JSON.parse(await talhouse(first, 'keys', 'create', 'main', '--json')) as { key: string }
for (const { env } of hosts) env['TALHOUSE_SERVICE_API_KEY'] = key
await start(first, 'serve')
await talhouse(first, 'tal', 'add', ...demo.domains, '--source', 'demo')
for (const host of hosts) for (const role of ROLES) if (!host.processes.has(role)) await start(host, role)
stack.defer(async () => {
  for (const host of hosts) for (const role of ROLES) await stop(host, role, 'SIGTERM')
})

const warehouse = new pg.Client(database.url('warehouse'))
await warehouse.connect()
stack.defer(() => warehouse.end())
const load: Load = { accepted: [], sent: 0, failures: [] }
const ended = new AbortController()
const clients = [0, 1, 2].map((name) => submit(name, ended.signal))

const victim = await hostOfTheNight()
console.log(`killing host ${victim.name}, which runs a night, after ${load.sent} requests`)
await Promise.all(ROLES.map((role) => stop(victim, role, 'SIGKILL')))
await eventually('an alert about the killed night', async () => chat().includes('abandoned'), 180)
for (const role of ROLES) await start(victim, role)
console.log(`an alert arrived; ${load.failures.length} of ${load.sent} requests failed while a host was down`)

load.failures.length = 0
const before = load.sent
for (const role of ROLES)
  for (const host of hosts) {
    await stop(host, role, 'SIGTERM')
    await wait((seconds / ROLES.length / hosts.length) * 1000)
    await start(host, role)
  }
const upgrade = { requests: load.sent - before, failed: load.failures.length, failures: load.failures.slice(0, 3) }
ended.abort()
await Promise.all(clients)

const unfinished = await unfinishedTasks(load.accepted)
const { rows: clock } = await warehouse.query<{ now: Date }>('select now()')
await eventually('a night ends ok', async () => (await outcomeSince(clock[0]?.now as Date)) === 'ok', 300)
const reconciled = (await talhouse(first, 'units', 'reconcile')).trim()
const snapshot = (await talhouse(first, 'snapshot', 'verify')).trim().split('\n').at(-1)
const result = {
  accepted: load.accepted.length,
  unfinished,
  upgrade,
  reconciled,
  snapshot,
  alerts: alerts.at('/chat').length,
}
console.log(result)
if (unfinished > 0 || upgrade.failed > 0 || load.accepted.length === 0) process.exitCode = 1

async function createHost(name: string): Promise<Host> {
  const folder = join(base, `host-${name}`)
  await mkdir(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...settings,
    TALHOUSE_DATA_DIR: join(folder, 'data'),
    TALHOUSE_HTTP_PORT: String(port),
    TALHOUSE_SERVICE_BASE_URL: url,
  }
  return { name, url, env, folder, processes: new Map() }
}

/** Runs a command on a host. Throws unless it succeeds. */
async function talhouse({ env, folder }: Host, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const printed = await text(child.stdout)
  const [code] = await exited
  if (code !== 0) throw new Error(`talhouse ${args.join(' ')} exited with ${code}: ${printed}`)
  return printed
}

/** Starts a process of a host and waits until it is ready. */
async function start(host: Host, role: (typeof ROLES)[number]): Promise<void> {
  const { env, folder, processes } = host
  const child = spawn(process.execPath, [COMMAND, role], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  processes.set(role, child)
  // Each role prints a line when it is ready; `work` prints it as a note.
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
}

async function stop({ processes }: Host, role: (typeof ROLES)[number], signal: NodeJS.Signals): Promise<void> {
  const child = processes.get(role)
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Submits and reads through both hosts in turn. Like a proxy, it uses the other host if a connection is refused. */
async function submit(name: number, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const domain = demo.domains[(count * 3 + name) % demo.domains.length] as string
    const submission = { domain, force: true }
    const headers = { 'idempotency-key': `load-${name}-${count}`, 'content-type': 'application/json' }
    const reply = await send('/v2/enrich/company', { method: 'POST', headers, body: JSON.stringify(submission) }, count)
    if (reply?.['task_id']) load.accepted.push(String(reply['task_id']))
    await send(`/v2/usage`, {}, count)
    await wait(300)
  }
}

async function send(path: string, init: RequestInit, turn: number): Promise<Record<string, unknown> | undefined> {
  load.sent += 1
  for (const { url } of [hosts[turn % 2], hosts[(turn + 1) % 2]] as Host[])
    try {
      const reply = await fetch(url + path, { ...init, headers: { ...init.headers, 'x-api-key': key } })
      if (reply.status >= 500) load.failures.push(`${path}: ${reply.status}`)
      return (await reply.json()) as Record<string, unknown>
    } catch (error) {
      if (((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED') continue
      load.failures.push(`${path}: ${(error as Error).cause ?? error}`)
      return undefined
    }
  load.failures.push(`${path}: no host`)
  return undefined
}

/** The host whose scheduler runs a night. */
async function hostOfTheNight(): Promise<Host> {
  for (;;) {
    const { rows } = await warehouse.query<{ pid: number }>(
      "select (holder ->> 'pid')::integer as pid from sync.run where pipeline = 'nightly' and state = 'running'",
    )
    const running = hosts.find(({ processes }) => processes.get('schedule')?.pid === rows[0]?.pid)
    if (running) return running
    await wait(20)
  }
}

/** The outcome of the latest night that started after a time of the database's clock. */
async function outcomeSince(time: Date): Promise<string | undefined> {
  const { rows } = await warehouse.query<{ outcome: string }>(
    "select outcome from sync.run where pipeline = 'nightly' and started_at > $1 and outcome is not null order by id desc limit 1",
    [time],
  )
  return rows[0]?.outcome
}

function chat(): string {
  return JSON.stringify(alerts.at('/chat'))
}

/** Tasks that do not end within five minutes. */
async function unfinishedTasks(ids: readonly string[]): Promise<number> {
  const open = new Set(ids)
  for (const deadline = Date.now() + 300_000; open.size > 0 && Date.now() < deadline; await wait(500))
    for (const id of open) {
      const task = await send(`/v2/tasks/${id}`, {}, 0)
      if (['completed', 'failed'].includes(String(task?.['status']))) open.delete(id)
    }
  return open.size
}
