import { mf2 } from 'microformats-parser'
import { flattenDeep } from './flatten-deep.ts'
import type { Page } from './page.ts'
import { tidy } from './page.ts'
import type { StructuredItem, StructuredValue } from './structured-item.ts'

type Root = ReturnType<typeof mf2>['items'][number]
type Property = Root['properties'][string][number]

/** The schema.org name of each supported microformats property. Other properties are ignored. */
const WORDS: Record<string, string> = {
  name: 'name',
  'given-name': 'givenName',
  'additional-name': 'additionalName',
  'family-name': 'familyName',
  'honorific-prefix': 'honorificPrefix',
  'honorific-suffix': 'honorificSuffix',
  'job-title': 'jobTitle',
  role: 'roleName',
  org: 'worksFor',
  email: 'email',
  tel: 'telephone',
  url: 'url',
  photo: 'image',
  logo: 'logo',
  note: 'description',
  adr: 'address',
  'street-address': 'streetAddress',
  locality: 'addressLocality',
  region: 'addressRegion',
  'postal-code': 'postalCode',
  'country-name': 'addressCountry',
}
const ADDRESS_WORDS = ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry']
const MAX_DEPTH = 24

/**
 * Reads the h-cards and classic hCards of a page as `Person` or `Organization` items, including cards inside other
 * microformats.
 */
export function readHCards({ url, base }: Page, html: string): StructuredItem[] {
  // Pages without cards are skipped, because the microformats parser parses the HTML a second time.
  if (!/\b(?:h-card|vcard)\b/.test(html)) return []
  return cardsIn(microformatsOf(html, URL.canParse(base) ? base : url), 0).map((card) => toCard(card, 0))
}

/** The parser throws if the page contains an invalid URL such as `//`. In that case, the page's cards are ignored. */
function microformatsOf(html: string, baseUrl: string): Root[] {
  try {
    return mf2(flattenDeep(html), { baseUrl }).items
  } catch {
    return []
  }
}

function cardsIn(roots: Root[], depth: number): Root[] {
  if (depth > MAX_DEPTH) return []
  return roots.flatMap((root) => {
    const isCard = root.type?.includes('h-card')
    // A card in a supported property stays in its parent. A card in any other property becomes a top-level item.
    const nested = Object.entries(root.properties).flatMap(([name, values]) =>
      isCard && WORDS[name] ? [] : values.filter(isRoot),
    )
    const within = cardsIn([...nested, ...(root.children ?? [])], depth + 1)
    return isCard ? [root, ...within] : within
  })
}

function toCard(root: Root, depth: number): StructuredItem {
  const properties: Record<string, StructuredValue[]> = {}
  for (const [name, values] of Object.entries(root.properties)) {
    const word = WORDS[name]
    const told = values.flatMap((value) => toValue(value, depth))
    if (word && told.length > 0) properties[word] = [...(properties[word] ?? []), ...told]
  }
  const address = Object.fromEntries(
    ADDRESS_WORDS.flatMap((word) => (properties[word] ? [[word, properties[word]]] : [])),
  )
  const told = (root.children ?? []).filter(({ type }) => type?.includes('h-adr')).map((one) => toCard(one, depth + 1))
  if (!properties['address'] && told.length > 0) properties['address'] = told
  else if (!properties['address'] && Object.keys(address).length > 0 && depth < MAX_DEPTH && !isAddress(root))
    properties['address'] = [{ format: 'h-card', types: ['PostalAddress'], id: null, properties: address }]
  return { format: 'h-card', types: [typeOf(root, properties)], id: root.id ?? null, properties }
}

/**
 * Determines the type of a card. A card describes an organization if its only name is the organization's, or if both
 * names are equal.
 */
function typeOf(root: Root, { name, worksFor, givenName, familyName }: StructuredItem['properties']): string {
  if (isAddress(root)) return 'PostalAddress'
  if (root.type?.includes('h-org')) return 'Organization'
  if (givenName || familyName || !worksFor) return 'Person'
  const organisation = worksFor.map((value) => (typeof value === 'object' ? value.properties['name']?.[0] : value))
  return !name?.[0] || organisation.includes(name[0]) ? 'Organization' : 'Person'
}

function toValue(property: Property, depth: number): StructuredValue[] {
  if (typeof property === 'string') return textValue(property)
  if (isRoot(property)) {
    if (depth > MAX_DEPTH) return []
    const item = toCard(property, depth + 1)
    return [
      property.type?.includes('h-card') && !item.properties['worksFor'] ? { ...item, types: cardTypes(item) } : item,
    ]
  }
  return textValue(typeof property.value === 'string' ? property.value : '')
}

/** A card inside a card is an organization unless it has a given name or a job title. */
const cardTypes = ({ properties }: StructuredItem): string[] => [
  properties['givenName'] || properties['jobTitle'] ? 'Person' : 'Organization',
]

function textValue(text: string): string[] {
  const value = tidy(text)
  return value === '' ? [] : [value]
}

const isAddress = ({ type }: Root): boolean => (type?.includes('h-adr') ?? false) && !type?.includes('h-card')

const isRoot = (property: Property): property is Root => typeof property === 'object' && 'properties' in property
