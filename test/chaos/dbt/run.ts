/**
 * npm run chaos -- dbt [--external]: runs `dbt build` and `dbt source freshness` for the package in dbt/ as the
 * `talhouse_modeler` role, on the embedded server or on the system's PostgreSQL (Debian: /usr/lib/postgresql). If PyPI
 * is not available, only prints the reason.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseUrls } from '../../../src/cli/support/access/embedded-access.ts'
import { prepareEmbedded } from '../../../src/cli/support/access/embedded-access.ts'
import { createModelerLogin } from '../../../src/cli/support/access/modeler.ts'
import { prepareDatabase } from '../../../src/cli/support/access/prepare.ts'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import { startEmbeddedPostgres } from '../../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { ensureDatabase, withClient } from '../../../src/lib/postgres.ts'
import { pythonWith } from '../../helpers/installed-programs.ts'
import { WAREHOUSE_ROWS } from '../../helpers/warehouse-rows.ts'
import { systemPostgres } from '../system-postgres.ts'

const programs = pythonWith('dbt', join(import.meta.dirname, 'requirements.txt'))
if (programs) process.exitCode = await check(join(programs, 'dbt'))

async function check(dbt: string): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-dbt-run-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const urls = await (process.argv.includes('--external') ? startSystemServer(stack) : startEmbedded(stack, folder))
  await prepareDatabase('warehouse', urls, { log: silentLog, analystPassword: undefined, auditRetentionDays: 730 })
  await withClient(urls.owner, (client) =>
    client.query(`${WAREHOUSE_ROWS}
      insert into sync.run (pipeline, requested_by, state, outcome, holder, ended_at) values ('nightly', 'test', 'completed', 'ok', '{}', now());`),
  )
  const { url, password } = await createModelerLogin(urls.admin)
  const { port, pathname } = new URL(url)
  await cp(join(import.meta.dirname, '../../../dbt'), join(folder, 'dbt'), { recursive: true })
  const env = {
    ...process.env,
    TALHOUSE_MODELER_PORT: port,
    TALHOUSE_MODELER_PASSWORD: password,
    TALHOUSE_MODELER_DATABASE: pathname.slice(1),
  }
  for (const command of [['source', 'freshness'], ['build'], ['docs', 'generate']]) {
    const child = spawn(dbt, [...command, '--profiles-dir', '.'], { cwd: join(folder, 'dbt'), env, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) return code ?? 1
  }
  return 0
}

async function startEmbedded(stack: AsyncDisposableStack, folder: string): Promise<DatabaseUrls> {
  const server = stack.use(await startEmbeddedPostgres({ dataDir: join(folder, 'data'), port: 0 }))
  return await prepareEmbedded(server.url('postgres'), 'warehouse')
}

/** Starts the newest PostgreSQL on the system, as the user postgres if this process is root. */
async function startSystemServer(stack: AsyncDisposableStack): Promise<DatabaseUrls> {
  const { bin, user } = systemPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-system-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o777)
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], {
    ...user,
    stdio: 'pipe',
  })
  const port = await freePort()
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-k', folder], {
    ...user,
    stdio: 'ignore',
  })
  stack.defer(async () => {
    child.kill('SIGINT')
    await once(child, 'exit')
  })
  const url = `postgres://postgres:none@127.0.0.1:${port}/warehouse`
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ensureDatabase(url)
      return { admin: url, owner: url, runtime: url }
    } catch (error) {
      if (attempt === 50) throw error
      await sleep(200)
    }
  }
}
