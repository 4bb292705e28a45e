import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from '../../src/lib/errors.ts'
import type { Holder } from '../warehouse/sync-tables.ts'

/** Identifies this process. Other processes use the result to check whether this process is alive. */
export const thisProcess = (): Holder => ({
  host: hostname(),
  pid: process.pid,
  namespace: pidNamespace(),
  started: startOf(process.pid),
})

/**
 * Whether the holder's process is known to be dead. Only processes on this host and in this PID namespace can be
 * checked. Other processes are considered dead when their heartbeat is too old.
 */
export function isDead(holder: Holder): boolean {
  if (holder.host !== hostname() || holder.namespace !== pidNamespace()) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
  return startOf(holder.pid) !== holder.started
}

/** The PID namespace, such as `pid:[4026531836]`. Empty on systems without /proc. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** The boot id, and the start time of a process in clock ticks. Empty on systems without /proc. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}
