import { getDomain } from 'tldts'
import { ORGANISATION_TYPES } from '../extract/organisation-types.ts'
import type { StructuredItem } from '../extract/structured-item.ts'
import { isTemplate, textsOf } from '../extract/structured-item.ts'
import { parseName } from './names/parse-name.ts'

/** A person from a page's structured data. */
export interface StructuredPerson {
  name: string
  title: string | null
  method: StructuredItem['format']
  email: string | null
  phone: string | null
  /** Profile URLs, as published. */
  profiles: string[]
}

/** The company whose people are to be extracted. */
export interface CompanyIdentity {
  /** Registrable domain. */
  domain: string
  /** Known names of the company. */
  names: readonly string[]
}

/** Properties that refer to people outside the company. */
const FOREIGN = new Set([
  'author',
  'creator',
  'contributor',
  'editor',
  'review',
  'reviews',
  'reviewedBy',
  'comment',
  'performer',
  'performers',
  'actor',
  'actors',
  'director',
  'alumni',
  'customer',
  'attendee',
  'sponsor',
  'knows',
  'spouse',
  'parent',
  'children',
  'colleague',
  'sibling',
  'byArtist',
  'composer',
  'publisher',
  'mentions',
  'citation',
  'accountablePerson',
  'recipient',
  'winner',
  'itemReviewed',
  'interviewee',
  'provider',
])
const OWN = new Set([
  'employee',
  'employees',
  'member',
  'members',
  'contactPoint',
  'owns',
  'owner',
  'legalRepresentative',
])
/**
 * Reads the company's people from structured items: employees and members of the company, and other people who work for
 * the company or have a job title. Excludes authors, reviewers, people in other organizations and founders without a
 * title, who often no longer work for the company.
 */
export function readStructuredPeople(items: readonly StructuredItem[], company: CompanyIdentity): StructuredPerson[] {
  const people = new Map<string, StructuredPerson>()
  const seen = new Set<StructuredItem>()
  const visit = (item: StructuredItem, role: 'top' | 'own' | 'foreign', jobTitle: string | null): void => {
    if (seen.has(item) || isTemplate(item)) return
    seen.add(item)
    if (item.types.includes('Person')) {
      const person = role === 'foreign' ? null : toPerson(item, role, jobTitle, company)
      const key = person && `${person.method} ${person.name.toLowerCase()}`
      if (person && key && (!people.get(key) || (!people.get(key)?.title && person.title))) people.set(key, person)
    }
    const isRole = item.types.some((type) => /Role$/.test(type))
    const title = isRole ? (textsOf(item, 'roleName')[0] ?? textsOf(item, 'namedPosition')[0] ?? jobTitle) : null
    const others = item.types.some((type) => ORGANISATION_TYPES.has(type)) && isOtherOrganization(item, company)
    for (const [property, values] of Object.entries(item.properties))
      for (const value of values) {
        if (typeof value !== 'object') continue
        const next =
          role === 'foreign' || others || FOREIGN.has(property) ? 'foreign' : OWN.has(property) ? 'own' : role
        visit(value, next, title)
      }
  }
  for (const item of items) visit(item, 'top', null)
  return [...people.values()]
}

function toPerson(
  item: StructuredItem,
  role: 'top' | 'own',
  roleTitle: string | null,
  company: CompanyIdentity,
): StructuredPerson | null {
  const written =
    textsOf(item, 'name')[0] ??
    [textsOf(item, 'givenName')[0], textsOf(item, 'additionalName')[0], textsOf(item, 'familyName')[0]]
      .filter(Boolean)
      .join(' ')
  const name = written ? parseName(written) : null
  if (!name?.last_name) return null
  const employers = [...(item.properties['worksFor'] ?? []), ...(item.properties['affiliation'] ?? [])]
  const stated = employers.map((value) =>
    typeof value === 'object'
      ? value
      : { format: item.format, types: ['Organization'], id: null, properties: { name: [value] } },
  )
  const title =
    textsOf(item, 'jobTitle')[0] ?? textsOf(item, 'roleName')[0] ?? textsOf(item, 'hasOccupation')[0] ?? roleTitle
  if (role === 'top') {
    if (stated.length > 0 && stated.every((organization) => isOtherOrganization(organization, company))) return null
    if (stated.length === 0 && !title) return null
  }
  return {
    name: written,
    title: title && title.length <= 200 ? title : null,
    method: item.format,
    email:
      textsOf(item, 'email')[0]
        ?.replace(/^mailto:/i, '')
        .replace(/\?.*$/, '') ?? null,
    phone: textsOf(item, 'telephone')[0]?.replace(/^tel:/i, '') ?? null,
    profiles: [...textsOf(item, 'sameAs'), ...textsOf(item, 'url')],
  }
}

/**
 * Returns whether an organization's URL or name identifies another company. An organization with neither a URL nor a
 * name is assumed to be this company.
 */
function isOtherOrganization(item: StructuredItem, { domain, names }: CompanyIdentity): boolean {
  const domains = [...textsOf(item, 'url'), ...(item.id ? [item.id] : [])]
    .map((url) => getDomain(url))
    .filter((one) => one !== null)
  if (domains.length > 0) return !domains.includes(domain)
  const stated = textsOf(item, 'name').map(plain)
  const own = [...names.map(plain), plain(domain.split('.')[0] ?? '')].filter((name) => name.length > 2)
  if (stated.length === 0 || names.length === 0) return false
  return !stated.some((name) => own.some((mine) => name.includes(mine) || mine.includes(name) || initials(name, mine)))
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(
      /\b(the|inc|llc|ltd|corp|corporation|company|co|gmbh|ag|sa|llp|lp|plc|group|limited|incorporated)\b\.?/g,
      '',
    )
    .replace(/[^\p{L}\d]/gu, '')

const initials = (one: string, other: string): boolean => one.slice(0, 5) === other.slice(0, 5) && one.length > 4
