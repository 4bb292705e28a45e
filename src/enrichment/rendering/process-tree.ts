import { readFileSync } from 'node:fs'

/** Maximum number of processes visited. */
const MAX_PROCESSES = 200
const PAGE_BYTES = 4096

/** Returns a process and its descendants; only the process on systems without /proc. */
export function processTree(pid: number): number[] {
  const found = [pid]
  for (let at = 0; at < found.length && found.length < MAX_PROCESSES; at++) {
    const children = readOrEmpty(`/proc/${found[at]}/task/${found[at]}/children`)
    found.push(...children.split(' ').filter(Boolean).map(Number))
  }
  return found
}

/** Returns the memory of several processes in megabytes, excluding shared pages; 0 on systems without /proc. */
export function memoryOf(pids: readonly number[]): number {
  const bytes = pids.map((pid) => {
    const [, resident = '0', shared = '0'] = readOrEmpty(`/proc/${pid}/statm`).split(' ')
    return (Number(resident) - Number(shared)) * PAGE_BYTES
  })
  return bytes.reduce((sum, one) => sum + one, 0) / 1e6
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Kills processes that may have exited already. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has exited.
    }
}
