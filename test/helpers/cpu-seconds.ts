/** CPU seconds of this thread during `work`. Independent of the machine's load, unlike elapsed time. */
export async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}
