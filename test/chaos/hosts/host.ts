import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Namespace } from './network.ts'
import { GATEWAY } from './network.ts'
import type { NetworkProxy } from './network-proxy.ts'
import { startNetworkProxy } from './network-proxy.ts'

const TALHOUSE = join(import.meta.dirname, '../../../bin/talhouse.js')
const WORKER = join(import.meta.dirname, '../processes/worker.ts')
const HTTP_PORT = 8080

export const ROLES = ['serve', 'work', 'schedule'] as const
export type Role = (typeof ROLES)[number]

/** A host with its own network, host name and folder, which reaches PostgreSQL through its proxy. */
export interface Host extends AsyncDisposable {
  readonly name: string
  readonly url: string
  readonly proxy: NetworkProxy
  /** Starts `serve`, `work` and `schedule`, and waits until they are ready. */
  start(apiKey: string): Promise<void>
  /** Sends a signal to one running process, or to all of them. */
  signal(signal: NodeJS.Signals, role?: Role): void
  /** The roles whose processes have exited. */
  exited(): Role[]
}

export interface HostOptions {
  namespace: Namespace
  /** Folder for the host's data. */
  base: string
  postgresPort: number
  /** URL of the enrichment source (test/helpers/answer-server.ts). */
  answersUrl: string
  settings: Readonly<Record<string, string>>
}

/** Creates a host without starting its processes. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { namespace, base, postgresPort, answersUrl, settings } = options
  const folder = join(base, namespace.name)
  await mkdir(folder)
  const proxy = await startNetworkProxy(postgresPort)
  const databaseUrl = (name: string) => `postgres://postgres:none@${GATEWAY}:${proxy.port}/${name}`
  const url = `http://${namespace.address}:${HTTP_PORT}`
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...settings,
    TALHOUSE_DATA_DIR: join(folder, 'data'),
    TALHOUSE_HTTP_HOST: '0.0.0.0',
    TALHOUSE_HTTP_PORT: String(HTTP_PORT),
    TALHOUSE_SERVICE_BASE_URL: url,
    TALHOUSE_SERVICE_DATABASE_URL: databaseUrl('service'),
    TALHOUSE_WAREHOUSE_DATABASE_URL: databaseUrl('warehouse'),
  }
  const processes = new Map<Role, ChildProcess>()

  async function startRole(role: Role): Promise<void> {
    const program = role === 'work' ? [WORKER, databaseUrl('service'), answersUrl] : [TALHOUSE, role]
    const inNamespace = ['netns', 'exec', namespace.name, 'unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"']
    const child = spawn('ip', [...inNamespace, namespace.name, process.execPath, ...program], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    processes.set(role, child)
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (isDead(child)) throw new Error(`${role} on ${namespace.name} exited with ${child.exitCode}`)
    child.stdout.resume()
  }

  const host: Host = {
    name: namespace.name,
    url,
    proxy,
    async start(apiKey) {
      env['TALHOUSE_SERVICE_API_KEY'] = apiKey
      for (const role of ROLES) if (isDead(processes.get(role))) await startRole(role)
    },
    signal(signal, only) {
      for (const [role, child] of processes) if ((only ?? role) === role && !isDead(child)) child.kill(signal)
    },
    exited: () => [...processes].filter(([, child]) => isDead(child)).map(([role]) => role),
    async [Symbol.asyncDispose]() {
      const running = [...processes.values()].filter((child) => !isDead(child))
      await Promise.all(
        running.map(async (child) => {
          const exited = once(child, 'exit')
          child.kill('SIGTERM')
          const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
          await exited
          clearTimeout(late)
        }),
      )
      await proxy[Symbol.asyncDispose]()
    },
  }
  return host
}

const isDead = (child: ChildProcess | undefined): boolean =>
  child === undefined || child.exitCode !== null || child.signalCode !== null
