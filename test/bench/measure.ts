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
