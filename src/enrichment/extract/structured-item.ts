export type StructuredFormat = 'json-ld' | 'microdata' | 'rdfa' | 'h-card'

/**
 * A machine-readable description of an entity. All formats use schema.org's vocabulary; h-card properties are converted
 * to it.
 */
export interface StructuredItem {
  format: StructuredFormat
  /** Type names without their vocabulary, such as `Organization` or `Person`; empty if the page specifies no type. */
  types: string[]
  id: string | null
  /**
   * Values keyed by the property's schema.org name, such as `name`, `jobTitle`, `worksFor` or `address`. Values are in
   * page order.
   */
  properties: Record<string, StructuredValue[]>
}

export type StructuredValue = string | number | boolean | StructuredItem

/** Returns the items at all nesting levels, parents before children, without duplicates. */
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

/** Returns the non-empty text values of a property. The text of a nested item is the item's name. */
export function textsOf(item: StructuredItem, property: string): string[] {
  return (item.properties[property] ?? [])
    .map((value) => (typeof value === 'object' ? (textsOf(value, 'name')[0] ?? '') : String(value)))
    .filter((text) => text !== '')
}

/** Returns the nested items of a property. */
export function itemsOf(item: StructuredItem, property: string): StructuredItem[] {
  return (item.properties[property] ?? []).filter((value) => typeof value === 'object')
}

/** Matches placeholder telephone numbers in unedited templates. */
const PLACEHOLDER = /0{7}/

/** Returns whether an item is an unedited template with placeholder values, such as the telephone number 000 0000. */
export const isTemplate = (item: StructuredItem): boolean =>
  textsOf(item, 'telephone').some((phone) => PLACEHOLDER.test(phone.replace(/\D/g, '')))
