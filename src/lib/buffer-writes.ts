/** A buffer whose items are written in batches while the caller produces further items. */
export interface WriteBuffer<Item> {
  /** Adds an item. While the buffer is full, waits for the batch in progress. Throws the error of a failed batch. */
  add(item: Item): Promise<void>
  /** Writes the remaining items, and waits until all items have been written. Throws the error of a failed batch. */
  flush(): Promise<void>
}

/** Milliseconds after which an added item completes a partial batch, which limits the loss in a crash. */
const MAX_DELAY_MS = 1000

/** Writes added items in batches of `size`, one batch at a time. After a failed batch, no further batch is written. */
export function bufferWrites<Item>(size: number, write: (items: Item[]) => Promise<void>): WriteBuffer<Item> {
  let batch: Item[] = []
  let begunAt = 0
  let isWriting = false
  let writing: Promise<void> = Promise.resolve()
  /** Set while a complete batch waits for the batch in progress. */
  let full: Promise<void> | undefined
  const begin = (): void => {
    const items = batch
    batch = []
    isWriting = true
    writing = writing
      .then(() => write(items))
      .finally(() => {
        isWriting = false
      })
    writing.catch(() => undefined) // `add` and `flush` throw the error
  }
  return {
    async add(item) {
      while (full) await full
      if (batch.length === 0) begunAt = performance.now()
      batch.push(item)
      if (batch.length < size && (isWriting || performance.now() - begunAt < MAX_DELAY_MS)) return
      full = writing.then(begin)
      try {
        await full
      } finally {
        full = undefined
      }
    },
    async flush() {
      if (batch.length > 0) begin()
      await writing
    },
  }
}
