import type { Element } from 'domhandler'
import { localName } from './json-ld.ts'
import type { Dialect } from './marked-elements.ts'
import { readMarkedItems } from './marked-elements.ts'
import type { Page } from './page.ts'
import type { StructuredItem } from './structured-item.ts'

/**
 * Reads the page's RDFa Lite items in schema.org's vocabulary. schema.org documents this syntax, and content management
 * systems use it. Ignores `rel` and `rev` chains and other vocabularies, such as Open Graph (`property="og:title"`).
 */
export function readRdfa(page: Page): StructuredItem[] {
  const known = new Map<Element, boolean>()
  /** Returns whether unprefixed names belong to schema.org, based on the nearest `vocab` attribute. */
  const inVocabulary = (element: Element): boolean => {
    const path: Element[] = []
    let answer = false
    for (let node: Element | null = element; node; node = node.parent as Element | null) {
      const seen = known.get(node)
      const vocabulary = seen === undefined ? node.attribs?.['vocab'] : undefined
      if (seen === undefined) path.push(node)
      if (seen === undefined && vocabulary === undefined) continue
      answer = seen ?? SCHEMA_ORG.test(vocabulary ?? '')
      break
    }
    for (const node of path) known.set(node, answer)
    return answer
  }
  const names = (element: Element, attribute: string): string[] =>
    (element.attribs[attribute] ?? '')
      .split(/\s+/)
      .filter((name) => name !== '' && (name.includes(':') ? PREFIXED.test(name) : inVocabulary(element)))
      .map(localName)
  const dialect: Dialect = {
    format: 'rdfa',
    items: '[typeof]',
    isItem: (element) => names(element, 'typeof').length > 0,
    propertiesOf: (element) => names(element, 'property'),
    typesOf: (element) => names(element, 'typeof'),
    idOf: ({ attribs }) => attribs['resource'] ?? attribs['about'] ?? null,
    resourceOf: ({ attribs }) => attribs['resource'],
    referencesOf: () => [],
  }
  return readMarkedItems(page, dialect)
}

const SCHEMA_ORG = /^\s*(?:https?:)?\/\/(?:www\.)?schema\.org\b/i
const PREFIXED = /^(?:schema:|https?:\/\/(?:www\.)?schema\.org\/)/i
