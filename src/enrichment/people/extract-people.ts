import { NO_PERSON_FIELDS } from '../../findings/person-fields.ts'
import type { PersonObservation } from '../../findings/provider.ts'
import type { Page } from '../extract/page.ts'
import { readScriptData } from '../extract/script-data.ts'
import type { StructuredItem } from '../extract/structured-item.ts'
import { linkContacts } from './link-contacts.ts'
import { mergePeople } from './merge-people.ts'
import { parseName } from './names/parse-name.ts'
import { nameKey } from './page/name-key.ts'
import type { PagePerson } from './page/page-people.ts'
import { readPagePeople } from './page/page-people.ts'
import { readProfileTitle } from './read-profile.ts'
import { reconcileWithPage } from './script-beside-page.ts'
import { readScriptPeople } from './script-people.ts'
import type { CompanyIdentity } from './structured-people.ts'
import { readStructuredPeople } from './structured-people.ts'
import { classifyTitle } from './titles/classify-title.ts'

export interface PeopleContext extends CompanyIdentity {
  /** Name of the provider that read the page. */
  source: string
  /** Time at which the page was read: ISO 8601, UTC. */
  observed_at: string
  /** Whether the page is known to list the company's people, for example from the text of a link to the page. */
  isTeamPage?: boolean
  /** For a person's profile page, the name in the link that leads to the page. */
  profileOf?: string | undefined
}

const STRUCTURED_CONFIDENCE = 0.97
const PROFILE_CONFIDENCE = 0.85

/**
 * Extracts the company's people from one page, without duplicates. Reads structured data, then data embedded in
 * scripts, then the page's layout. Names and titles are kept as published. Contact data comes from the same item,
 * script object or card as the name.
 */
export function extractPeople(
  page: Page,
  items: readonly StructuredItem[],
  context: PeopleContext,
): PersonObservation[] {
  const found: PersonObservation[] = []
  const structured = readStructuredPeople(items, context)
  for (const person of structured) {
    const observation = toObservation(
      person.name,
      person.title,
      page.url,
      person.method,
      STRUCTURED_CONFIDENCE,
      context,
    )
    if (observation) found.push({ ...observation, ...contactOf(person) })
  }
  const shown = inOrderOf(
    structured.map(({ name }) => name),
    readPagePeople(page, context),
  )
  const scripted = reconcileWithPage(readScriptPeople(readScriptData(page)), shown, page)
  for (const { name, title, email, confidence } of scripted) {
    const observation = toObservation(name, title, page.url, 'script-data', confidence, context)
    if (observation) found.push({ ...observation, ...contactOf({ email, phone: null, profiles: [] }) })
  }
  const profileTitle = context.profileOf ? readProfileTitle(page, context.profileOf) : null
  if (context.profileOf && profileTitle) {
    const observation = toObservation(context.profileOf, profileTitle, page.url, 'page', PROFILE_CONFIDENCE, context)
    if (observation) found.push(observation)
  }
  const contacts = linkContacts(page, shown, context.domain)
  shown.forEach(({ name, title, confidence }, index) => {
    const observation = toObservation(name, title, page.url, 'page', confidence, context)
    if (observation) found.push({ ...observation, ...contacts[index] })
  })
  return mergePeople(found)
}

/** A page with at least this many reversed names is assumed to write family names first. */
const MIN_REVERSED = 2

/** Reverses the people's names if the page writes the family name first and the structured data writes it last. */
function inOrderOf(names: readonly string[], shown: readonly PagePerson[]): readonly PagePerson[] {
  const known = new Set(names.map(nameKey))
  const reversed = (name: string): string => name.split(/\s+/u).toReversed().join(' ')
  const isReversed = ({ name }: PagePerson): boolean => !known.has(nameKey(name)) && known.has(nameKey(reversed(name)))
  if (shown.filter(isReversed).length < MIN_REVERSED) return shown
  const isWrong = ({ name }: PagePerson): boolean => name.split(/\s+/u).length === 2 && !known.has(nameKey(name))
  return shown.map((one) => (isWrong(one) ? { ...one, name: reversed(one.name) } : one))
}

function toObservation(
  name: string,
  title: string | null,
  url: string,
  method: string,
  confidence: number,
  { source, observed_at }: PeopleContext,
): PersonObservation | null {
  const parsed = parseName(name)
  if (!parsed) return null
  return {
    source,
    url,
    observed_at,
    method,
    confidence,
    ...NO_PERSON_FIELDS,
    full_name: parsed.full_name,
    first_name: parsed.first_name,
    last_name: parsed.last_name,
    title,
    ...(title && classifyTitle(title)),
  }
}

type Contact = Pick<PersonObservation, 'email' | 'email_status' | 'email_confidence' | 'phone' | 'social_url'>

const SOCIAL = /^https?:\/\/([\w-]+\.)?(linkedin\.com\/(in|pub)\/|xing\.com\/profile\/|(twitter|x)\.com\/\w+$)/i

function contactOf({
  email,
  phone,
  profiles,
}: {
  email: string | null
  phone: string | null
  profiles: string[]
}): Contact {
  const address = email && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? email.toLowerCase() : null
  return {
    email: address,
    email_status: address === null ? null : 'published',
    email_confidence: address === null ? null : 0.97,
    phone,
    social_url: profiles.find((url) => SOCIAL.test(url)) ?? null,
  }
}
