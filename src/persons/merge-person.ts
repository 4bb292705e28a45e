import { NO_PERSON_FIELDS } from '../findings/person-fields.ts'
import type { PersonObservation } from '../findings/provider.ts'

/** Fields of a person's record that come from observations. */
export type PersonFields = Pick<
  PersonObservation,
  | 'full_name'
  | 'first_name'
  | 'last_name'
  | 'title'
  | 'seniority'
  | 'department'
  | 'email'
  | 'email_status'
  | 'email_confidence'
  | 'phone'
  | 'social_url'
>

export type PersonField = keyof PersonFields

/** Groups of fields whose values must come from the same observation. */
const FIELD_GROUPS: readonly { lead: PersonField; fields: readonly PersonField[] }[] = [
  { lead: 'full_name', fields: ['full_name', 'first_name', 'last_name'] },
  { lead: 'title', fields: ['title', 'seniority', 'department'] },
  { lead: 'email', fields: ['email', 'email_status', 'email_confidence'] },
  { lead: 'phone', fields: ['phone'] },
  { lead: 'social_url', fields: ['social_url'] },
]

const EMAIL_RANK = { published: 2, derived: 1, guessed: 0 }

export interface MergedPerson {
  fields: PersonFields
  /** Observations for each known field, with the winning observation first. */
  evidence: Map<PersonField, PersonObservation[]>
}

/**
 * Merges the observations of one person. The observation with the highest confidence wins; ties go to the newest.
 * Published email addresses take precedence over derived and guessed addresses. Requires at least one observation.
 */
export function mergePerson(observations: readonly PersonObservation[]): MergedPerson {
  const byConfidence = observations.toSorted(
    (a, b) =>
      b.confidence - a.confidence ||
      b.observed_at.localeCompare(a.observed_at) ||
      a.source.localeCompare(b.source) ||
      (a.url ?? '').localeCompare(b.url ?? ''),
  )
  const byAddress = byConfidence.toSorted(
    (a, b) => emailRank(b) - emailRank(a) || (b.email_confidence ?? 0) - (a.email_confidence ?? 0),
  )
  const fields = { full_name: '', ...NO_PERSON_FIELDS } as Record<PersonField, string | number | null>
  const evidence: MergedPerson['evidence'] = new Map()
  for (const group of FIELD_GROUPS) {
    const places = (group.lead === 'email' ? byAddress : byConfidence).filter((seen) => seen[group.lead] !== null)
    const [best] = places
    for (const field of group.fields) {
      // A field that the winning observation lacks, such as the department, is taken from another observation. Email
      // fields are an exception, because a status is meaningless for a different address.
      const elsewhere = best?.[field] == null && group.lead !== 'email'
      const showing = elsewhere ? byConfidence.filter((seen) => seen[field] !== null) : places
      const [first, ...others] = showing
      if (!first) continue
      fields[field] = first[field]
      evidence.set(field, [first, ...others.filter((seen) => seen[field] !== null)])
    }
  }
  return { fields: fields as PersonFields, evidence }
}

const emailRank = ({ email, email_status }: PersonObservation): number =>
  email === null ? -1 : EMAIL_RANK[email_status ?? 'guessed']
