/**
 * Runs `work` for each item, at most `concurrency` at a time. On failure, stops starting calls, waits for the calls in
 * progress, and throws the first error.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = Iterator.from(items)
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = rest.next()
      if (next.done) return
      try {
        signal.throwIfAborted()
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  if (failures.length > 0) throw failures[0]
}
