/**
 * Returns the CPU seconds of this thread during `work`. They do not depend on the machine's load, unlike elapsed time.
 */
export async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}
