import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../errors.ts'

/** Reads the running server's port from its lock file. Returns undefined if no server is ready. */
export async function runningPort(cluster: string): Promise<number | undefined> {
  const lock = await readPostmaster(cluster)
  return lock?.alive && lock.status.startsWith('ready') ? lock.port : undefined
}

/**
 * Reads postmaster.pid. The file's lines are: pid, data folder, start time, port, socket folder, address, shared memory
 * key, status.
 */
export async function readPostmaster(cluster: string) {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '', alive: await isPostgres(pid, cluster) }
}

/**
 * Reports whether the pid belongs to this cluster's server. After a host crash, the pid may belong to another process.
 */
export async function isPostgres(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return commandLine === undefined ? process.platform !== 'linux' : commandLine.includes(cluster)
}

export async function dropStalePostmaster(cluster: string): Promise<void> {
  const lock = await readPostmaster(cluster)
  if (lock && !lock.alive) await rm(join(cluster, 'postmaster.pid'), { force: true })
}
