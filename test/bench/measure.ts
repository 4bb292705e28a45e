/** Returns the duration of the work in seconds: the best of three runs, to reduce the effect of other load. */
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
  /** CPU seconds used by all threads of this process; mostly independent of other load. */
  cpu: number
}

/** Returns the best turn of each contender. Contenders take turns, so that other load affects all of them. */
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

/** Samples this process's memory. The returned function returns the peak increase since the start, in megabytes. */
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
