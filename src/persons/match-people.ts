import type { PersonObservation } from '../findings/provider.ts'
import { nameKey, sameName } from '../personal-data/name-key.ts'
import { profileKey } from '../personal-data/profile-key.ts'

/** A person's new observations and the stored record that they match. */
export interface Sighting<Known> {
  /** The stored record; null for a new person. */
  known: Known | null
  seen: PersonObservation[]
}

/** Attributes used to match people. */
type Marks = Pick<PersonObservation, 'full_name' | 'email' | 'email_status' | 'social_url'> & {
  /** The source of the observation; absent on stored records. */
  source?: string
  /** A stored record whose source no longer publishes its address. */
  isAddressOutdated?: boolean
}

/**
 * Groups observations at one company by person and matches them with stored records. Two entries match if they have the
 * same published address or profile, or the same name and no conflicting published addresses. Matches with the same
 * name take precedence over other matches.
 */
export function matchPeople<Known extends Marks>(
  known: readonly Known[],
  observations: readonly PersonObservation[],
): Sighting<Known>[] {
  const shown = new Set(observations.map(publishedEmail))
  const sightings: (Sighting<Known> & { marks: Marks[] })[] = known.map((one) => ({
    known: one,
    seen: [],
    // The address is not outdated if any source still publishes it, even for another name.
    marks: [{ ...one, isAddressOutdated: one.isAddressOutdated === true && !shown.has(publishedEmail(one)) }],
  }))
  const byName = new Map<string, typeof sightings>()
  const remember = (sighting: (typeof sightings)[number], name: string): void => {
    const key = nameKey(name)
    const others = byName.get(key) ?? []
    if (!others.includes(sighting)) byName.set(key, [...others, sighting])
  }
  for (const sighting of sightings) remember(sighting, (sighting.known as Known).full_name)
  for (const observation of observations) {
    const alike = sightings.filter(({ marks }) =>
      marks.some((mark) => sameAddress(mark, observation) || sameProfile(mark, observation)),
    )
    const match =
      alike.find(({ marks }) => marks.some((mark) => sameName(mark.full_name, observation.full_name))) ??
      byName
        .get(nameKey(observation.full_name))
        ?.find(
          ({ marks }) =>
            marks.some((mark) => sameName(mark.full_name, observation.full_name)) &&
            !marks.some((mark) => contradicts(mark, observation)),
        ) ??
      alike[0]
    const sighting = match ?? { known: null, seen: [], marks: [] }
    if (!match) sightings.push(sighting)
    sighting.seen.push(observation)
    sighting.marks.push(observation)
    remember(sighting, observation.full_name)
  }
  return sightings.map(({ known, seen }) => ({ known, seen }))
}

/**
 * Returns the address only if it is published. A derived address is not evidence of identity, because it contains only
 * information from the name.
 */
const publishedEmail = ({ email, email_status }: Marks): string | null =>
  email !== null && email_status === 'published' ? email.trim().toLowerCase() : null

const sameAddress = (a: Marks, b: Marks): boolean =>
  publishedEmail(a) !== null && publishedEmail(a) === publishedEmail(b) && !areDifferentPeople(a, b)

interface NamedMarks {
  full_name: string
  source?: string
}

/**
 * Returns whether two entries with the same address are different people who share a mailbox. If only the family name
 * differs, the person may have changed names, unless the same source lists both names.
 */
export const areDifferentPeople = (a: NamedMarks, b: NamedMarks): boolean => {
  const [lastA, lastB] = [a, b].map(({ full_name }) => nameKey(full_name).split(' ').at(-1))
  const [firstA, firstB] = [a, b].map(({ full_name }) => nameKey(full_name).split(' ')[0])
  return lastA !== lastB && (firstA !== firstB || (a.source !== undefined && a.source === b.source))
}

const sameProfile = (a: Marks, b: Marks): boolean =>
  a.social_url !== null && b.social_url !== null && profileKey(a.social_url) === profileKey(b.social_url)

const contradicts = (a: Marks, b: Marks): boolean =>
  a.isAddressOutdated !== true &&
  a.email_status === 'published' &&
  b.email_status === 'published' &&
  publishedEmail(a) !== publishedEmail(b)
