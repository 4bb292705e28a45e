import { NO_PERSON_FIELDS } from '../findings/person-fields.ts'
import type { PersonObservation } from '../findings/provider.ts'

/** What a record shows of a person; the confidence of the address beside it. */
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

/** Fields that only mean something together: they are taken from one place. */
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
  /** For each field that is known: the places that give it, the one that is shown first. */
  evidence: Map<PersonField, PersonObservation[]>
}

/** Decides what to show of a person whom several places mention. The surest wins; between equals the younger. At least one observation. */
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
      // A place without a title may still tell the department; another address's status means nothing.
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
