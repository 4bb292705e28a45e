import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export interface MemoryStory {
  atRest: number
  peak: number
  /** Resident memory five seconds after the load. */
  after: number
}

/**
 * Samples the resident memory of a process. The returned function waits five seconds and returns the samples in
 * megabytes. Works only on Linux.
 */
export function watchMemory(pid: number): () => Promise<MemoryStory> {
  const readings: number[] = []
  const look = async () => void readings.push(await residentMegabytes(pid))
  const first = look()
  const timer = setInterval(look, 200)
  return async () => {
    await first
    await wait(5_000)
    clearInterval(timer)
    return { atRest: readings[0] ?? 0, peak: Math.max(...readings), after: await residentMegabytes(pid) }
  }
}

/**
 * Returns the CPU seconds used by a process so far, which are mostly independent of other load. Works only on Linux.
 */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The fields after the name are parsed, because the name may contain any character: field 3 is the state; fields 14
  // and 15 are the user and system time in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000)
}
