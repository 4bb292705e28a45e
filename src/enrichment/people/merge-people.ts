import type { Seniority } from '../../contract/person-values.ts'
import { SENIORITIES } from '../../contract/person-values.ts'
import type { PersonObservation } from '../../findings/provider.ts'
import { nameKey } from './page/name-key.ts'

/**
 * Merges the observations of each person. Values come from the most confident observation, and missing values come from
 * the other observations. Names that differ only in the middle name, such as `Jane Doe` and `Jane Ann Doe`, belong to
 * the same person. The title comes from the most confident observation that has a title. The confidence increases if
 * several pages or extraction methods agree on the title.
 */
export function mergePeople(observations: readonly PersonObservation[]): PersonObservation[] {
  const groups = new Map<string, PersonObservation[]>()
  for (const observation of observations) {
    const key = keyOf(observation)
    groups.set(key, [...(groups.get(key) ?? []), observation])
  }
  return [...groups.values()].map(mergeOne)
}

/** A key built from the first and last name only, because middle names vary between pages. */
function keyOf({ full_name, first_name, last_name }: PersonObservation): string {
  return nameKey(first_name && last_name ? `${first_name.split(' ')[0]} ${last_name}` : full_name)
}

function mergeOne(all: PersonObservation[]): PersonObservation {
  const ordered = all.toSorted((a, b) => b.confidence - a.confidence)
  const [best] = ordered as [PersonObservation]
  const titled = ordered.find(({ title }) => title !== null) ?? best
  const mailed = all
    .filter(({ email }) => email !== null)
    .toSorted((a, b) => (b.email_confidence ?? 0) - (a.email_confidence ?? 0))[0]
  const agreeing = new Set(
    all.filter(({ title }) => title === titled.title).map(({ url, method }) => `${method} ${url}`),
  ).size
  return {
    ...best,
    full_name: ordered
      .map(({ full_name }) => full_name)
      .reduce((a, b) => (b.length > a.length && sameCase(a, b) ? b : a)),
    title: titled.title,
    seniority: titled.seniority,
    department: titled.department,
    email: mailed?.email ?? null,
    email_status: mailed?.email_status ?? null,
    email_confidence: mailed?.email_confidence ?? null,
    phone: ordered.find(({ phone }) => phone)?.phone ?? null,
    social_url: ordered.find(({ social_url }) => social_url)?.social_url ?? null,
    confidence: agreeing > 1 ? 1 - (1 - best.confidence) * 0.5 : best.confidence,
  }
}

/**
 * Returns whether the longer spelling `b` may replace `a`. A spelling in all capitals never replaces a mixed-case
 * spelling.
 */
const sameCase = (a: string, b: string): boolean => /\p{Ll}/u.test(b) || !/\p{Ll}/u.test(a)

/**
 * Returns at most `limit` people, the most senior first. Heads of the company come before other executives. Ties are
 * broken by confidence.
 */
export function rankPeople(people: readonly PersonObservation[], limit: number): PersonObservation[] {
  const rank = ({ seniority, department }: PersonObservation): number => {
    const place = SENIORITIES.indexOf(seniority as Seniority)
    if (place === -1) return SENIORITIES.length
    return seniority === 'executive' && department === 'executive' ? -1 : place
  }
  return people.toSorted((a, b) => rank(a) - rank(b) || b.confidence - a.confidence).slice(0, limit)
}
