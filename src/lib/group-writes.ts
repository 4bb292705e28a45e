interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Combines concurrent writes, as a group commit does: items that arrive during a write wait and form the next group, of
 * at most `maximum` items. `write` returns one result per item, in order. If `write` throws, all items in the group
 * fail.
 */
export function groupWrites<Item, Result>(
  maximum: number,
  write: (items: Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isWriting = false
  const drain = async (): Promise<void> => {
    isWriting = true
    for (let group = waiting.splice(0, maximum); group.length > 0; group = waiting.splice(0, maximum))
      try {
        const results = await write(group.map(({ item }) => item))
        for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    isWriting = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWriting) void drain()
    })
}
