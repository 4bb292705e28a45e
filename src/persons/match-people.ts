import type { PersonObservation } from '../findings/provider.ts'
import { nameKey, sameName } from './name-key.ts'
import { profileKey } from './profile-key.ts'

/** One person, as far as the places that mention them can be told to mean the same. */
export interface Sighting<Known> {
  /** The person in store; null when new. */
  known: Known | null
  seen: PersonObservation[]
}

/** What tells people apart. */
type Marks = Pick<PersonObservation, 'full_name' | 'email' | 'email_status' | 'social_url'> & {
  /** Who shows them; absent of a person in store. */
  source?: string
}

/**
 * Tells which observations mean the same person, and whether that person is in store. One address or one profile is one person;
 * one name at one company is, too, unless published addresses differ. Names decide before addresses do.
 */
export function matchPeople<Known extends Marks>(
  known: readonly Known[],
  observations: readonly PersonObservation[],
): Sighting<Known>[] {
  const sightings: (Sighting<Known> & { marks: Marks[] })[] = known.map((one) => ({
    known: one,
    seen: [],
    marks: [one],
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

/** An address that was made from a name tells no more than the name. */
const publishedEmail = ({ email, email_status }: Marks): string | null =>
  email !== null && email_status === 'published' ? email.trim().toLowerCase() : null

const sameAddress = (a: Marks, b: Marks): boolean =>
  publishedEmail(a) !== null && publishedEmail(a) === publishedEmail(b) && !areDifferentPeople(a, b)

/**
 * An address that people of different names share belongs to a desk. Where only the family name differs it may have changed, unless one source
 * shows both names beside each other.
 */
const areDifferentPeople = (a: Marks, b: Marks): boolean => {
  const [lastA, lastB] = [a, b].map(({ full_name }) => nameKey(full_name).split(' ').at(-1))
  const [firstA, firstB] = [a, b].map(({ full_name }) => nameKey(full_name).split(' ')[0])
  return lastA !== lastB && (firstA !== firstB || (a.source !== undefined && a.source === b.source))
}

const sameProfile = (a: Marks, b: Marks): boolean =>
  a.social_url !== null && b.social_url !== null && profileKey(a.social_url) === profileKey(b.social_url)

const contradicts = (a: Marks, b: Marks): boolean =>
  a.email_status === 'published' && b.email_status === 'published' && publishedEmail(a) !== publishedEmail(b)
