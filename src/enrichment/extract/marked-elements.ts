import type { CheerioAPI } from 'cheerio'
import type { Element } from 'domhandler'
import type { Page } from './page.ts'
import { absoluteUrl, textOf } from './page.ts'
import type { StructuredItem, StructuredValue } from './structured-item.ts'

/** A syntax for structured data in HTML attributes. */
export interface Dialect {
  format: 'microdata' | 'rdfa'
  /** Selects the elements that describe an item. */
  items: string
  isItem(element: Element): boolean
  /** Names, without the vocabulary prefix, of the properties that this element provides to the enclosing item. */
  propertiesOf(element: Element): string[]
  typesOf(element: Element): string[]
  idOf(element: Element): string | null
  /** The URL of the value, if an attribute other than `href` or `src` contains it. */
  resourceOf(element: Element): string | undefined
  /** IDs of elements that belong to the item but are outside the item's element. */
  referencesOf(element: Element): string[]
}

const MAX_ITEMS = 1000
const MAX_DEPTH = 24

/** Reads the page's top-level items in this dialect. */
export function readMarkedItems({ $, base }: Page, dialect: Dialect): StructuredItem[] {
  return $<Element, string>(dialect.items)
    .toArray()
    .filter((element) => dialect.isItem(element) && !isOfAnother(element, dialect))
    .slice(0, MAX_ITEMS)
    .map((element) => toItem({ $, base, dialect }, element, []))
}

/**
 * Returns whether an item is the value of another item's property. An item with a property name but without an
 * enclosing item is top-level, because templates often omit the outer item. An item that also has an id is assumed to
 * be referenced by another item.
 */
function isOfAnother(element: Element, dialect: Dialect): boolean {
  if (dialect.propertiesOf(element).length === 0) return false
  for (let node = element.parent as Element | null; node?.type === 'tag'; node = node.parent as Element | null)
    if (dialect.isItem(node)) return true
  return element.attribs['id'] !== undefined
}

interface Reading {
  $: CheerioAPI
  base: string
  dialect: Dialect
}

function toItem(reading: Reading, scope: Element, above: Element[]): StructuredItem {
  const { dialect } = reading
  const properties: Record<string, StructuredValue[]> = {}
  for (const element of above.length > MAX_DEPTH ? [] : elementsOf(reading, scope)) {
    if (element === scope || above.includes(element)) continue
    const names = dialect.propertiesOf(element)
    const value = readValue(reading, element, names, [...above, scope])
    if (value === '') continue
    for (const name of names) {
      if (properties[name]) properties[name].push(value)
      else properties[name] = [value]
    }
  }
  return { format: dialect.format, types: dialect.typesOf(scope), id: dialect.idOf(scope), properties }
}

/**
 * Finds the elements that provide this item's properties. Includes elements referenced by id, and excludes the
 * properties of nested items.
 */
function elementsOf({ $, dialect }: Reading, scope: Element): Element[] {
  const found: Element[] = []
  const referred = dialect.referencesOf(scope).flatMap((id) => $(`[id="${id.replace(/["\\]/g, '\\$&')}"]`).toArray())
  const stack: Element[] = [...$(scope).children().toArray(), ...referred].reverse()
  for (let element = stack.pop(); element; element = stack.pop()) {
    if (dialect.propertiesOf(element).length > 0) found.push(element)
    if (dialect.isItem(element)) continue
    for (let child = element.lastChild; child; child = child.prev) if (child.type === 'tag') stack.push(child)
  }
  return found
}

const URL_ATTRIBUTE: Record<string, string> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
}

function readValue(reading: Reading, element: Element, names: string[], above: Element[]): StructuredValue {
  const { attribs, name } = element
  if (reading.dialect.isItem(element)) return toItem(reading, element, above)
  // `content` is valid only on `<meta>`, but common on other elements and accepted by other microdata parsers.
  if (attribs['content'] !== undefined) return attribs['content'].trim()
  const resource = reading.dialect.resourceOf(element)
  if (resource !== undefined) return absoluteUrl(resource, reading.base) ?? resource.trim()
  const attribute = URL_ATTRIBUTE[name]
  const address = attribute && attribs[attribute]
  // The value of a text property on a link, such as `<a itemprop="name" href="/">`, is the link's text.
  if (address && (name !== 'a' || names.some((one) => ADDRESS_PROPERTIES.has(one.toLowerCase()))))
    return absoluteUrl(address, reading.base) ?? address.trim()
  if (name === 'data' || name === 'meter') return attribs['value']?.trim() ?? textOf(element)
  if (name === 'time') return attribs['datetime']?.trim() ?? textOf(element)
  return textOf(element)
}

const ADDRESS_PROPERTIES = new Set([
  'url',
  'sameas',
  'email',
  'telephone',
  'image',
  'logo',
  'mainentityofpage',
  'hasmap',
  'contenturl',
  'item',
])
