/** Facts about the people and organizations in an example, one per line, so that two results can be compared. */
import type { StructuredItem, StructuredValue } from '../../../src/enrichment/extract/structured-item.ts'
import { allItems } from '../../../src/enrichment/extract/structured-item.ts'

/** Properties from which a record's values are taken. */
export const PROPERTIES = [
  'name',
  'legalName',
  'alternateName',
  'givenName',
  'familyName',
  'honorificPrefix',
  'honorificSuffix',
  'jobTitle',
  'worksFor',
  'affiliation',
  'telephone',
  'faxNumber',
  'email',
  'url',
  'sameAs',
  'logo',
  'description',
  'foundingDate',
  'numberOfEmployees',
  'address',
  'contactPoint',
  'employee',
  'employees',
  'founder',
  'founders',
  'member',
  'members',
] as const

const PARTS = [
  'name',
  'streetAddress',
  'addressLocality',
  'addressRegion',
  'postalCode',
  'addressCountry',
  'telephone',
  'value',
  'url',
]

/**
 * Normalizes a text for comparison: removes differences in case and white space, URL schemes, a trailing slash and the
 * example's own URL.
 */
export const plainFact = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^https?:\/\/example\.test\//, '')
    .replace(/^https?:/, '')
    .replace(/^(?:mailto|tel):/, '')
    .replace(/\/$/, '')
    .toLowerCase()

/** Returns facts such as `jane doe: jobTitle = professor`. Items are distinguished by name. */
export function factsOf(
  items: readonly StructuredItem[],
  isWanted: (types: readonly string[]) => boolean,
): Set<string> {
  return new Set(
    allItems(items)
      .filter(({ types }) => isWanted(types))
      .flatMap((item) => {
        const name = textOf(item.properties['name']?.[0]) || '?'
        return PROPERTIES.flatMap((property) =>
          (item.properties[property] ?? [])
            .map(textOf)
            .filter((text) => text !== '')
            .map((text) => `${plainFact(name)}: ${property} = ${plainFact(text)}`),
        )
      }),
  )
}

function textOf(value: StructuredValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return PARTS.map((part) => (value.properties[part] ?? []).map(textOf).join(', '))
    .filter(Boolean)
    .join(' | ')
}
