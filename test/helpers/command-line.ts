import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { runCommandLine } from '../../src/cli/support/run-command-line.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { withDatabase } from '../../src/lib/postgres.ts'
import { testDatabase } from './database.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface Ended {
  /** Exit code; null if the process was terminated by a signal. */
  code: number | null
  out: string
  err: string
}

/** The command line with a service and a separate data folder and warehouse. */
export interface CommandLine extends AsyncDisposable {
  warehouse: Postgres<WarehouseTables>
  /** Runs a command to completion in the test's process: `await talhouse.run('run', 'firms')`. */
  run(...args: string[]): Promise<Ended>
  /** Starts a command in a separate process that the test can kill. */
  start(...args: string[]): { child: ChildProcess; ended: Promise<Ended> }
}

/** Settings as environment variables: `{ TALHOUSE_PIPELINES_BURST: '10' }`. */
export async function openCommandLine(
  host: { url: string; key?: string },
  settings: Record<string, string> = {},
): Promise<CommandLine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-cli-'))
  const warehouse = await testDatabase<WarehouseTables>('warehouse')
  const env = {
    ...process.env,
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_WAREHOUSE_DATABASE_URL: withDatabase(inject('postgresUrl'), new URL(warehouse.url).pathname.slice(1)),
    TALHOUSE_SERVICE_BASE_URL: host.url,
    TALHOUSE_SERVICE_API_KEY: host.key ?? 'key',
    ...settings,
  }
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    return { child, ended: readToEnd(child) }
  }
  return {
    warehouse,
    start,
    run: (...args) => runTalhouse(args, env),
    async [Symbol.asyncDispose]() {
      await warehouse[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs a command in this process, which saves the half second of CPU time needed to start another process. */
export async function runTalhouse(args: readonly string[], env: Environment): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const printed = Promise.all([text(stdout), text(stderr)])
  const code = await runCommandLine(args, { env, stdout, stderr, on: () => undefined, exit: () => undefined })
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { code, out, err }
}

async function readToEnd(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}
