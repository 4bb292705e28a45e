import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'

/** Whether PgBouncer is installed (Debian: `apt-get install pgbouncer`). */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

export interface Pgbouncer extends AsyncDisposable {
  /** Returns the URL of a database through the pooler. */
  through(databaseUrl: string): string
}

/** Starts PgBouncer in transaction mode in front of a server, with a few connections per database. */
export async function startPgbouncer(
  postgresUrl: string,
  { connections }: { connections: number },
): Promise<Pgbouncer> {
  const server = new URL(postgresUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-pgbouncer-'))
  // PgBouncer does not run as root.
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${decodeURIComponent(server.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  )
  const account = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const bouncer = spawn('pgbouncer', [...account, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    bouncer.once('exit', () => reject(new Error(`PgBouncer has exited: ${printed}`)))
    bouncer.stderr.on('data', (data) => {
      printed += data
      if (printed.includes('process up')) resolve()
    })
  })
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    async [Symbol.asyncDispose]() {
      const exited = once(bouncer, 'exit')
      bouncer.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
