/** Does the work for each item, so many at once. The first failure stops what has not begun, waits for what has, and is thrown. */
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
