import type { PersonObservation } from '../findings/provider.ts'
import { FORM_ADV } from '../findings/sources.ts'
import { hashEmail } from '../personal-data/email-hash.ts'
import { nameKey } from '../personal-data/name-key.ts'
import { profileKey } from '../personal-data/profile-key.ts'
import { mergePerson } from './merge-person.ts'
import type { PersonRow } from './person-rows.ts'

/** Builds a person's record from all current observations of the person. */
export function composePerson(
  known: PersonRow | null,
  observations: readonly PersonObservation[],
  { domain, person_id, at, seen }: { domain: string; person_id: string; at: string; seen: boolean },
): PersonRow {
  const { fields } = mergePerson(observations)
  const address = fields.email === null ? null : hashEmail(fields.email)
  return {
    ...fields,
    company_domain: domain,
    person_id,
    email: address?.email ?? null,
    email_hash: address?.hash ?? null,
    email_digest: address?.digest ?? null,
    name_key: nameKey(fields.full_name),
    profile_key: fields.social_url === null ? null : profileKey(fields.social_url),
    in_formadv: observations.some(({ source }) => source === FORM_ADV),
    enrichment_status: fields.email !== null && fields.title !== null ? 'complete' : 'partial',
    enriched_at: seen ? at : (known?.enriched_at ?? at),
    last_seen_at: seen ? at : (known?.last_seen_at ?? at),
    left_at: null,
    created_at: known?.created_at ?? at,
    updated_at: at,
  }
}

/** Marks a person as departed, keeping the last known values. */
export function departPerson(known: PersonRow, at: string): PersonRow {
  return known.left_at === null ? { ...known, left_at: at } : known
}
