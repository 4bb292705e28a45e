/** Splits items into arrays of at most `size`, in order. */
export const chunk = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Reads items in arrays of at most `size`, in order. */
export async function* chunksOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[], void, undefined> {
  let next: Item[] = []
  for await (const item of items) {
    next.push(item)
    if (next.length < size) continue
    yield next
    next = []
  }
  if (next.length > 0) yield next
}
