import type { CheerioAPI } from 'cheerio'
import type { Element } from 'domhandler'
import { localName } from './json-ld.ts'
import type { Page } from './page.ts'
import { absoluteUrl, textOf } from './page.ts'
import type { StructuredItem, StructuredValue } from './structured-item.ts'

const MAX_ITEMS = 1000
const MAX_DEPTH = 24

/** The microdata items of a page that are not a property of another. */
export function readMicrodata({ $, base }: Page): StructuredItem[] {
  return $('[itemscope]:not([itemprop])')
    .toArray()
    .slice(0, MAX_ITEMS)
    .map((element) => toItem($, element, base, []))
}

function toItem($: CheerioAPI, scope: Element, base: string, above: Element[]): StructuredItem {
  const properties: Record<string, StructuredValue[]> = {}
  for (const element of above.length > MAX_DEPTH ? [] : propertiesOf($, scope)) {
    if (element === scope || above.includes(element)) continue
    const value = readValue($, element, base, [...above, scope])
    if (value === '') continue
    for (const name of names($(element).attr('itemprop'))) {
      const key = localName(name)
      if (properties[key]) properties[key].push(value)
      else properties[key] = [value]
    }
  }
  return {
    format: 'microdata',
    types: names($(scope).attr('itemtype')).map(localName),
    id: $(scope).attr('itemid') ?? null,
    properties,
  }
}

/** The elements with `itemprop` that belong to this item and not to one within it, those named by `itemref` included. */
function propertiesOf($: CheerioAPI, scope: Element): Element[] {
  const found: Element[] = []
  const referred = names($(scope).attr('itemref')).flatMap((id) =>
    $(`[id="${id.replace(/["\\]/g, '\\$&')}"]`).toArray(),
  )
  const stack: Element[] = [...$(scope).children().toArray(), ...referred].reverse()
  for (let element = stack.pop(); element; element = stack.pop()) {
    if (element.attribs['itemprop'] !== undefined) found.push(element)
    if (element.attribs['itemscope'] === undefined) stack.push(...$(element).children().toArray().reverse())
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

function readValue($: CheerioAPI, element: Element, base: string, above: Element[]): StructuredValue {
  const { attribs, name } = element
  if (attribs['itemscope'] !== undefined) return toItem($, element, base, above)
  // Not by the letter on other elements than meta, but what sites write and what readers of microdata take.
  if (attribs['content'] !== undefined) return attribs['content'].trim()
  const attribute = URL_ATTRIBUTE[name]
  const address = attribute && attribs[attribute]
  // <a itemprop="name" href="/">: a link around a text property means the text.
  if (address && (name !== 'a' || isAddressProperty(attribs['itemprop'])))
    return absoluteUrl(address, base) ?? address.trim()
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

const isAddressProperty = (itemprop: string | undefined): boolean =>
  names(itemprop).some((name) => ADDRESS_PROPERTIES.has(localName(name).toLowerCase()))

const names = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean)
