import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import type { Release } from './releases.ts'

export const ROLES = ['serve', 'work', 'schedule'] as const
export type Role = (typeof ROLES)[number]

/** A simulated host: a folder and its processes. */
export interface Host {
  readonly name: string
  readonly url: string
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly processes: Map<Role, ChildProcess>
}

export async function createHost(base: string, name: string, settings: Record<string, string>): Promise<Host> {
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

/** Runs a command on a host. Throws unless the command succeeds. */
export async function talhouse({ env, folder }: Host, { command }: Release, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [command, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const printed = await text(child.stdout)
  const [code] = await exited
  if (code !== 0) throw new Error(`talhouse ${args.join(' ')} exited with ${code}: ${printed}`)
  return printed
}

/** Starts a process of a host and waits until it is ready. Throws if the process exits instead. */
export async function start(host: Host, { command, version }: Release, role: Role): Promise<void> {
  const { env, folder, processes } = host
  const child = spawn(process.execPath, [command, role], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  processes.set(role, child)
  child.stderr.pipe(process.stderr)
  // Each role prints a line when it is ready; `work` prints it to stderr.
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error(`${role} of talhouse ${version} exited with ${child.exitCode}`)
  child.stdout.resume()
}

export async function stop({ processes }: Host, role: Role, signal: NodeJS.Signals): Promise<void> {
  const child = processes.get(role)
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
