export type StructuredFormat = 'json-ld' | 'microdata' | 'rdfa' | 'h-card'

/** A thing described in machine-readable form, in schema.org's vocabulary for every format (h-cards are translated). */
export interface StructuredItem {
  format: StructuredFormat
  /** Without vocabulary: `Organization`, `Person`, `FinancialService`. Empty when the page does not say. */
  types: string[]
  id: string | null
  /** Every property is a list, in the page's order. Names as in schema.org: `name`, `jobTitle`, `worksFor`, `address`. */
  properties: Record<string, StructuredValue[]>
}

export type StructuredValue = string | number | boolean | StructuredItem

/** Every item at any depth, parents before children, without duplicates. */
export function allItems(items: readonly StructuredItem[]): StructuredItem[] {
  const seen = new Set<StructuredItem>()
  const visit = (item: StructuredItem): void => {
    if (seen.has(item)) return
    seen.add(item)
    for (const value of Object.values(item.properties).flat()) if (typeof value === 'object') visit(value)
  }
  items.forEach(visit)
  return [...seen]
}

/** The non-empty texts of a property; an item counts by its name. */
export function textsOf(item: StructuredItem, property: string): string[] {
  return (item.properties[property] ?? [])
    .map((value) => (typeof value === 'object' ? (textsOf(value, 'name')[0] ?? '') : String(value)))
    .filter((text) => text !== '')
}

/** The items in a property. */
export function itemsOf(item: StructuredItem, property: string): StructuredItem[] {
  return (item.properties[property] ?? []).filter((value) => typeof value === 'object')
}
