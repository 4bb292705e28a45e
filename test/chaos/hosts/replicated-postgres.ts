import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import { eventually } from '../../helpers/eventually.ts'
import { acceptsConnections } from '../accepts-connections.ts'
import { systemPostgres } from '../system-postgres.ts'

const MAX_CONNECTIONS = 150

/** A primary and its synchronous streaming standby, from the system's PostgreSQL. */
export interface ReplicatedPostgres extends AsyncDisposable {
  /** The current primary's port on 127.0.0.1. */
  port(): number
  url(database: string): string
  stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Starts the primary again. */
  start(): Promise<void>
  /** Promotes the standby, which becomes the primary. The old primary must not be running. */
  promote(): Promise<void>
}

interface Server {
  readonly data: string
  readonly port: number
  readonly settings: readonly string[]
  child: ChildProcess | undefined
}

/**
 * Starts both servers. Commits wait for the standby, so a failover loses no accepted work. The servers run as the user
 * postgres if this process is root.
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  await using stack = new AsyncDisposableStack()
  const { bin, user } = systemPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-replicated-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o777)
  const run = (program: string, ...args: string[]) =>
    void execFileSync(join(bin, program), args, { ...user, cwd: folder, stdio: 'pipe' })
  const first: Server = {
    data: join(folder, 'first'),
    port: await freePort(),
    settings: ['synchronous_standby_names=*', 'wal_keep_size=1GB'],
    child: undefined,
  }
  const second: Server = { data: join(folder, 'second'), port: await freePort(), settings: [], child: undefined }
  let primary = first

  async function start(server: Server): Promise<void> {
    const settings = [...server.settings, `max_connections=${MAX_CONNECTIONS}`, `unix_socket_directories=${folder}`]
    const args = ['-D', server.data, '-p', String(server.port), ...settings.flatMap((each) => ['-c', each])]
    const isUp = async () => {
      // A killed server cannot restart until its last process has exited.
      if (!isRunning(server))
        server.child = spawn(join(bin, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' })
      return await acceptsConnections(urlOf(server, 'postgres'))
    }
    await eventually('PostgreSQL accepts connections', isUp, 60)
  }
  async function stop(server: Server, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const { child } = server
    if (!child || !isRunning(server)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  run('initdb', '-D', first.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8')
  stack.defer(async () => {
    for (const server of [second, first]) await stop(server, 'SIGINT')
  })
  await start(first)
  run('pg_basebackup', '-D', second.data, '-d', urlOf(first, ''), '-R', '-X', 'stream', '-c', 'fast')
  await start(second)
  const rest = stack.move()
  return {
    port: () => primary.port,
    url: (database) => urlOf(primary, database),
    stop: (signal) => stop(primary, signal),
    start: () => start(primary),
    async promote() {
      run('pg_ctl', 'promote', '-D', second.data)
      primary = second
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

const isRunning = ({ child }: Server): boolean =>
  child !== undefined && child.exitCode === null && child.signalCode === null

const urlOf = ({ port }: Server, database: string): string => `postgres://postgres:none@127.0.0.1:${port}/${database}`
