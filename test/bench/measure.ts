/** Seconds that the work takes: the best of three, since the machine has other things to do. */
export async function measure(work: () => Promise<unknown>, times = 3): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < times; turn += 1) {
    const start = performance.now()
    await work()
    best = Math.min(best, (performance.now() - start) / 1000)
  }
  return best
}

export interface Turn {
  seconds: number
  /** Seconds of processor time of this process, all its threads together: other work on the machine changes it little. */
  cpu: number
}

/** What each work takes, the best of its turns: they take turns, so that other work on the machine meets all of them. */
export async function measureInTurns(works: (() => Promise<unknown>)[], turns: number): Promise<Turn[]> {
  const best = works.map((): Turn => ({ seconds: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }))
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, work] of works.entries()) {
      const [start, before] = [performance.now(), process.cpuUsage()]
      await work()
      const [seconds, { user, system }] = [(performance.now() - start) / 1000, process.cpuUsage(before)]
      const of = best[index] as Turn
      of.seconds = Math.min(of.seconds, seconds)
      of.cpu = Math.min(of.cpu, (user + system) / 1e6)
    }
  }
  return best
}

/** Watches this process's memory from now on; the function returned gives the peak above the start, in megabytes. */
export function peakMemory(): () => number {
  const start = process.memoryUsage.rss()
  let peak = start
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  return () => {
    clearInterval(timer)
    return (peak - start) / 1_000_000
  }
}
