import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export interface MemoryStory {
  atRest: number
  peak: number
  /** Five seconds after the load. */
  after: number
}

/** Watches the resident memory of a process from now on; what is returned waits five seconds and tells it, in megabytes. Linux only. */
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

/** Seconds of processor time that a process has used so far: other work on the machine changes it little. Linux only. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may hold anything: state is field 3; user and system time, in hundredths, are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000)
}
