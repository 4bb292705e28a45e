import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from '../../src/lib/errors.ts'
import type { Holder } from '../warehouse/tables.ts'

/** This process, so that others can tell whether it is still there. */
export const thisProcess = (): Holder => ({ host: hostname(), pid: process.pid, started: startOf(process.pid) })

/**
 * Is the holder certainly dead? Only a process on this host can be looked at; for one elsewhere the answer is no, and its
 * heartbeat decides.
 */
export function isDead(holder: Holder): boolean {
  if (holder.host !== hostname()) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
  return startOf(holder.pid) !== holder.started
}

/** The boot and the clock tick at which a process started; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}
