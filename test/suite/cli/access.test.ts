import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { resetPassword } from '../../../src/cli/support/access/analyst-login.ts'
import { prepareEmbedded } from '../../../src/cli/support/access/embedded-access.ts'
import { prepareDatabase } from '../../../src/cli/support/access/prepare.ts'
import { startEmbeddedPostgres } from '../../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { withClient, withDatabase } from '../../../src/lib/postgres.ts'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')
const QUERY = ['query', 'select count(*) as firms from warehouse.firm', '--format', 'csv']

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-access-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command on a host with this data folder. */
async function talhouse(dataDir: string, args: readonly string[], env: Record<string, string> = {}) {
  const settings = { TALHOUSE_DATA_DIR: dataDir, TALHOUSE_POSTGRES_PORT: '0', TALHOUSE_LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    once(child, 'close'),
  ])
  return { code: code as number | null, out: out.join(''), err: err.join('') }
}

it('runs 20 concurrent queries on the embedded server', async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await temporaryFolder(stack)
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
  expect(server.port).toBeGreaterThan(0)
  expect(await talhouse(dataDir, ['migrate'])).toMatchObject({ code: 0 })
  const results = await Promise.all(Array.from({ length: 20 }, () => talhouse(dataDir, QUERY)))
  expect(results).toEqual(results.map(() => ({ code: 0, out: 'firms\n0\n', err: '' })))
}, 300_000)

it('prints the SQL for an administrator if the role cannot set up the analyst, and allows two hosts to share the server', async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startEmbeddedPostgres({ dataDir: await temporaryFolder(stack), port: 0 }))
  const superuser = server.url('postgres')
  const url = (user: string, database: string) => {
    const login = new URL(withDatabase(superuser, database))
    login.username = user
    login.password = `${user}-password`
    return login.href
  }
  await withClient(superuser, async (client) => {
    for (const user of ['svc_owner', 'svc', 'wh'])
      await client.query(`create role ${user} login password '${user}-password'`)
    await client.query('create database svc owner svc_owner')
    await client.query('create database wh owner wh')
  })
  const runtime = {
    TALHOUSE_SERVICE_DATABASE_URL: url('svc', 'svc'),
    TALHOUSE_WAREHOUSE_DATABASE_URL: url('wh', 'wh'),
  }
  const owner = { ...runtime, TALHOUSE_SERVICE_OWNER_DATABASE_URL: url('svc_owner', 'svc') }
  const [first, second] = [await temporaryFolder(stack), await temporaryFolder(stack)]

  const blocked = await talhouse(first, ['migrate'], owner)
  expect(blocked).toMatchObject({ code: 4, out: expect.stringContaining('create role talhouse_analyst login') })
  expect(blocked.out).toContain('-- Run as an administrator, connected to wh;')
  const { databases } = JSON.parse((await talhouse(first, ['migrate', '--json'], owner)).out)
  for (const { database, pending } of databases)
    await withClient(withDatabase(superuser, database), async (client) => {
      for (const statement of pending) await client.query(statement)
    })
  expect(await talhouse(first, ['migrate'], owner)).toMatchObject({ code: 0, out: 'Up to date: svc, wh.\n' })

  // A host that has only the credentials of the runtime roles.
  expect(await talhouse(second, ['clients', 'create', 'Acme', '--id', 'acme'], runtime)).toMatchObject({ code: 0 })
  const results = await Promise.all([first, second, first, second].map((host) => talhouse(host, QUERY, runtime)))
  expect(results).toEqual(results.map(() => ({ code: 0, out: 'firms\n0\n', err: '' })))
}, 300_000)

it('keeps passwords out of process arguments', async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await temporaryFolder(stack)
  const tools = await temporaryFolder(stack)
  const psql = join(tools, 'psql')
  await writeFile(psql, '#!/bin/sh\necho "arguments: $*"\necho "password: $PGPASSWORD"\n')
  await chmod(psql, 0o755)
  await talhouse(dataDir, ['migrate'])
  const path = { PATH: `${tools}${delimiter}${process.env['PATH']}` }
  for (const options of [[], ['--owner']]) {
    const { out } = await talhouse(dataDir, ['psql', ...options], path)
    const [, password = ''] = /^password: (.+)$/m.exec(out) ?? []
    expect(password.length).toBeGreaterThan(20)
    expect(/^arguments: (.+)$/m.exec(out)?.[1]).not.toContain(password)
  }
})

it('keeps passwords out of the log of a server that logs every statement', async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await temporaryFolder(stack)
  const settings = { log_statement: 'all', log_min_duration_statement: '0', log_connections: 'on' }
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings }))
  const urls = await prepareEmbedded(server.url('postgres'), 'warehouse')
  await prepareDatabase('warehouse', urls, { log: silentLog, analystPassword: 'first-secret', auditRetentionDays: 730 })
  const { password } = await resetPassword(urls.admin, undefined)
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('create role talhouse_analyst')
  const secrets = [password, 'first-secret', ...Object.values(urls).map((url) => new URL(url).password)]
  for (const secret of secrets) expect(log.includes(secret)).toBe(false)
})

it("allows the service's runtime role only to read the audit log and append to it", async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startEmbeddedPostgres({ dataDir: await temporaryFolder(stack), port: 0 }))
  const urls = await prepareEmbedded(server.url('postgres'), 'service')
  await prepareDatabase('service', urls, { log: silentLog, analystPassword: undefined, auditRetentionDays: 730 })
  const append = (age: string) =>
    `insert into audit_entry (at, actor, action, target) values (now() - interval '${age}', 'user:x', 'a.b', '')`
  await withClient(urls.runtime, async (client) => {
    await client.query(append('1 day'))
    await client.query(append('90 days'))
    await client.query(append('731 days'))
    for (const attempt of [
      'update audit_entry set actor = null',
      'delete from audit_entry',
      `set talhouse.pruning_audit = 'on'; delete from audit_entry`,
      'truncate audit_entry',
      'alter table audit_entry disable trigger all',
      'drop table audit_entry',
      'create or replace function prune_audit() returns bigint language sql as $$select 1::bigint$$',
      'update audit_retention set days = 30',
      'delete from audit_retention',
    ])
      await expect(client.query(attempt), attempt).rejects.toThrow()
    const { rows } = await client.query<{ pruned: number }>('select prune_audit()::int as pruned')
    expect(rows).toEqual([{ pruned: 1 }])
    expect((await client.query('select from audit_entry')).rowCount).toBe(2)
  })
  await prepareDatabase('service', urls, { log: silentLog, analystPassword: undefined, auditRetentionDays: 60 })
  await withClient(urls.runtime, async (client) => {
    await client.query('select prune_audit()')
    expect((await client.query('select from audit_entry')).rowCount).toBe(1)
  })
})

it('creates files that other users of the host cannot read', async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await temporaryFolder(stack)
  for (const command of [['migrate'], ['snapshot', 'create']])
    expect(await talhouse(dataDir, command)).toMatchObject({ code: 0 })
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  expect(files.some((file) => file.includes('snapshots'))).toBe(true)
  expect(files.length).toBeGreaterThan(100)
  const { mode } = await stat(dataDir)
  // If root runs talhouse, the server's account has access to the folder, so each file is tested as another user.
  if (process.getuid?.() === 0) expect(await readableByOthers(files)).toEqual([READABLE])
  else expect(mode & 0o077).toBe(0)
})

/** Control: a file that all users can read. */
const READABLE = '/etc/passwd'

async function readableByOthers(files: readonly string[]): Promise<string[]> {
  const script = 'while read -r file; do [ -r "$file" ] && echo "$file"; done; true'
  const child = spawn('setpriv', ['--reuid=12345', '--regid=12345', '--clear-groups', 'sh', '-c', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`${[...files, READABLE].join('\n')}\n`)
  return (await child.stdout.setEncoding('utf8').toArray()).join('').split('\n').filter(Boolean)
}
