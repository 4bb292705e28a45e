/** Compares the expected JSON of h-card cases in the microformats test suite with the output of our extractor. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readHCards } from '../../../src/enrichment/extract/h-card.ts'
import { parsePage } from '../../../src/enrichment/extract/page.ts'
import type { StructuredItem, StructuredValue } from '../../../src/enrichment/extract/structured-item.ts'
import { allItems } from '../../../src/enrichment/extract/structured-item.ts'
import { plainFact } from './facts.ts'
import type { CaseResult } from './result.ts'
import { compare } from './result.ts'

interface Root {
  type?: string[]
  properties: Record<string, (string | Root | { value: string })[]>
  children?: Root[]
  value?: string
}

/** h-card properties that map to fields of a person or an organization. */
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
  'street-address': 'streetAddress',
  locality: 'addressLocality',
  region: 'addressRegion',
  'postal-code': 'postalCode',
  'country-name': 'addressCountry',
}

/** Returns one result per case with an h-card. `folder` contains a copy of the test suite's repository. */
export function runHCards(folder: string): CaseResult[] {
  const root = existsSync(join(folder, 'tests')) ? join(folder, 'tests') : folder
  return globSync('**/*.html', { cwd: root })
    .toSorted()
    .flatMap((name) => {
      const answers = join(root, name.replace(/\.html$/, '.json'))
      if (!existsSync(answers)) return []
      const { items } = JSON.parse(readFileSync(answers, 'utf8')) as { items: Root[] }
      const expected = new Set(items.flatMap((item) => factsOfRoot(item, false)))
      if (expected.size === 0) return []
      const html = readFileSync(join(root, name), 'utf8')
      const cards = readHCards(parsePage(html, 'http://example.com/'), html)
      const format = name.split('/').slice(0, -1).join('/')
      return [compare(name.replace(/\.html$/, ''), format, expected, new Set(allItems(cards).flatMap(factsOfCard)))]
    })
}

const isRoot = (value: unknown): value is Root => typeof value === 'object' && value !== null && 'properties' in value

/** Returns the facts of a card and its nested items. In other microformats, only nested cards count. */
function factsOfRoot(root: Root, inCard: boolean, property = ''): string[] {
  const isCard = root.type?.includes('h-card') ?? false
  const inside: [string, Root['properties'][string]][] = [...Object.entries(root.properties), ['', root.children ?? []]]
  const nested = inside.flatMap(([name, values]) =>
    values.filter(isRoot).flatMap((one) => factsOfRoot(one, inCard || isCard, name)),
  )
  if (!isCard && !(inCard && root.type?.includes('h-adr'))) return nested
  const name = firstText(root.properties['name']) || '?'
  const own = Object.entries(root.properties).flatMap(([property, values]) => {
    const word = WORDS[property]
    return word
      ? values
          .map(textOfProperty)
          .filter(Boolean)
          .map((text) => fact(name, word, text))
      : []
  })
  const isNamed = isCard && root.properties['name'] !== undefined
  return [...(isNamed ? [fact(name, 'is', kindOf(root, property))] : []), ...own, ...nested]
}

/**
 * Returns the kind of a card. According to the microformats wiki, a card describes an organization if its name equals
 * the organization's name; otherwise it describes a person.
 */
function kindOf({ type, properties }: Root, property: string): string {
  const org = firstText(properties['org'])
  return property === 'org' || type?.includes('h-org') || (org !== '' && org === firstText(properties['name']))
    ? 'Organization'
    : 'Person'
}

const firstText = (values: Root['properties'][string] | undefined): string => textOfProperty(values?.[0] ?? '')

function textOfProperty(value: string | Root | { value: string }): string {
  if (typeof value === 'string') return value
  return isRoot(value) ? firstText(value.properties['name']) || (value.value ?? '') : value.value
}

function factsOfCard(item: StructuredItem): string[] {
  const name = textOfValue(item.properties['name']?.[0] ?? '') || '?'
  return [
    ...(name === '?' ? [] : item.types).map((type) => fact(name, 'is', type)),
    ...Object.entries(item.properties).flatMap(([word, values]) =>
      Object.values(WORDS).includes(word) ? values.map((value) => fact(name, word, textOfValue(value))) : [],
    ),
  ]
}

const textOfValue = (value: StructuredValue): string =>
  typeof value === 'object' ? textOfValue(value.properties['name']?.[0] ?? '') : String(value)

const ADDRESS = new Set(['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry'])

/**
 * Formats a fact. Postal addresses are compared without their owner, because an address may be in the card or in a
 * nested card.
 */
const fact = (name: string, word: string, text: string): string =>
  `${ADDRESS.has(word) ? '' : `${plainFact(name)}: `}${word} = ${plainFact(text)}`
