/** Shuffles a list in place (Fisher-Yates). `random` returns numbers in [0, 1). */
export function shuffle<Item>(items: Item[], random: () => number): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[items[last], items[other]] = [items[other] as Item, items[last] as Item]
  }
  return items
}
