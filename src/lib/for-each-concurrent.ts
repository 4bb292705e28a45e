/**
 * Runs `work` for each item, at most `concurrency` at a time. Requests an item only when its call can start. On failure,
 * stops starting calls, waits for the calls in progress, and throws the first error.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      try {
        const next = await rest.next()
        if (next.done) return
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
