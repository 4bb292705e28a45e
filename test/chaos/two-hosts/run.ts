/**
 * `npm run chaos -- two-hosts [SECONDS]`: two folders simulate hosts. Each runs `serve`, `work` and `schedule` from the
 * packed package on one external PostgreSQL, with snapshots on S3 (moto if it is installed), set up with the commands
 * in docs/operations.md. Under load, the program kills every process of the host that is executing a nightly run, and
 * starts the host again. It then upgrades both hosts to the next minor version, which has one more migration for each
 * database: it migrates, kills and restarts a host on the old version, and replaces one process at a time. Fails if
 * accepted work or a unit is lost, if the killed nightly run raises no alert, if the next one is not `ok`, or if a
 * request fails during the upgrade.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../src/lib/embedded-postgres/server.ts'
import { startAlertReceiver } from '../../helpers/alert-receiver.ts'
import { startDemoProcess } from '../../helpers/demo-process.ts'
import { eventually } from '../../helpers/eventually.ts'
import { startS3Server } from '../../helpers/s3-server.ts'
import type { Host } from './hosts.ts'
import { createHost, ROLES, start, stop, talhouse } from './hosts.ts'
import { startLoad, unfinishedTasks } from './load.ts'
import { installReleases } from './releases.ts'

const COMPANIES = 30

const seconds = Number(process.argv[2] ?? 20)
await using stack = new AsyncDisposableStack()
const base = await mkdtemp(join(tmpdir(), 'talhouse-hosts-'))
stack.defer(() => rm(base, { recursive: true, force: true }))
const { current, next } = installReleases(base)
const database = stack.use(await startEmbeddedPostgres({ dataDir: join(base, 'external'), port: 0 }))
const s3 = stack.use(await startS3Server('talhouse'))
console.log(`talhouse ${current.version} and ${next.version} are installed; snapshots are written to ${s3.name}`)
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

const hosts = [await createHost(base, 'a', settings), await createHost(base, 'b', settings)] as const
const [first] = hosts
await talhouse(first, current, 'migrate')
await talhouse(first, current, 'clients', 'create', 'Main', '--id', 'main', '--units', '100000', '--period', '1 month')
const { key } = JSON.parse(await talhouse(first, current, 'keys', 'create', 'main', '--json')) as { key: string }
for (const { env } of hosts) env['TALHOUSE_SERVICE_API_KEY'] = key
stack.defer(async () => {
  for (const host of hosts) for (const role of ROLES) await stop(host, role, 'SIGTERM')
})
await start(first, current, 'serve')
await talhouse(first, current, 'tal', 'add', ...demo.domains, '--source', 'demo')
for (const host of hosts) for (const role of ROLES) if (!host.processes.has(role)) await start(host, current, role)

const warehouse = new pg.Client(database.url('warehouse'))
await warehouse.connect()
stack.defer(() => warehouse.end())
const load = startLoad([hosts[0].url, hosts[1].url], key, demo.domains)

const victim = await hostOfTheNight()
console.log(`killing host ${victim.name}, which runs a night, after ${load.sent} requests`)
await Promise.all(ROLES.map((role) => stop(victim, role, 'SIGKILL')))
await eventually('an alert about the killed night', async () => chat().includes('abandoned'), 180)
for (const role of ROLES) await start(victim, current, role)
console.log(`an alert arrived; ${load.failures.length} of ${load.sent} requests failed while a host was down`)

load.failures.length = 0
const before = load.sent
console.log((await talhouse(first, next, 'migrate', '--plan')).trim())
await talhouse(first, next, 'migrate')
const failures = load.failures.splice(0)
// A process of the old version that crashes after the migration, before its upgrade, can restart.
for (const role of ROLES) {
  await stop(first, role, 'SIGKILL')
  await start(first, current, role)
}
const { length: failedByKill } = load.failures.splice(0)
for (const role of ROLES)
  for (const host of hosts) {
    await stop(host, role, 'SIGTERM')
    await wait((seconds / ROLES.length / hosts.length) * 1000)
    await start(host, next, role)
  }
failures.push(...load.failures)
const upgrade = { to: next.version, requests: load.sent - before, failed: failures.length, failures, failedByKill }
await load.end()

const unfinished = await unfinishedTasks(load)
const { rows: clock } = await warehouse.query<{ now: Date }>('select now()')
await eventually('a night ends ok', async () => (await outcomeSince(clock[0]?.now as Date)) === 'ok', 300)
const result = {
  accepted: load.accepted.length,
  unfinished,
  upgrade,
  reconciled: (await talhouse(first, next, 'units', 'reconcile')).trim(),
  snapshot: (await talhouse(first, next, 'snapshot', 'verify')).trim().split('\n').at(-1),
  alerts: alerts.at('/chat').length,
}
console.log(result)
if (unfinished > 0 || upgrade.failed > 0 || load.accepted.length === 0) process.exitCode = 1

/** Returns the host whose scheduler is executing a nightly run. */
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

/** Returns the outcome of the latest nightly run that started after the given time on the database's clock. */
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
