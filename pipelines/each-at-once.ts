import PQueue from 'p-queue'

/** Does the work for each item, so many at once. The first failure stops what has not begun, waits for what has, and is thrown. */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency })
  const failures: unknown[] = []
  for (const item of items) {
    // However many items there are, only those of the moment wait in memory.
    await queue.onSizeLessThan(concurrency)
    if (failures.length > 0) break
    queue
      .add(async () => {
        if (failures.length > 0) return
        signal.throwIfAborted()
        await work(item)
      })
      .catch((error: unknown) => failures.push(error))
  }
  await queue.onIdle()
  if (failures.length > 0) throw failures[0]
}
