import { localName } from './json-ld.ts'
import type { Dialect } from './marked-elements.ts'
import { readMarkedItems } from './marked-elements.ts'
import type { Page } from './page.ts'
import type { StructuredItem } from './structured-item.ts'

const words = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean)

const MICRODATA: Dialect = {
  format: 'microdata',
  // The specification requires `itemscope`, but many sites have only `itemtype`, which is unambiguous.
  items: '[itemscope], [itemtype]',
  isItem: ({ attribs }) => attribs['itemscope'] !== undefined || attribs['itemtype'] !== undefined,
  propertiesOf: ({ attribs }) => words(attribs['itemprop']).map(localName),
  typesOf: ({ attribs }) => words(attribs['itemtype']).map(localName),
  idOf: ({ attribs }) => attribs['itemid'] ?? null,
  resourceOf: () => undefined,
  referencesOf: ({ attribs }) => words(attribs['itemref']),
}

/** Reads the top-level microdata items on a page. */
export const readMicrodata = (page: Page): StructuredItem[] => readMarkedItems(page, MICRODATA)
