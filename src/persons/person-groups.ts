import type { Person, PersonGroup } from '../contract/persons.ts'
import type { Db } from '../db/database.ts'
import type { PersonObservation } from '../findings/provider.ts'
import { FORM_ADV } from '../findings/sources.ts'
import { readLatestOfPersons } from '../history/read-history.ts'
import type { PersonRecord } from './person-records.ts'

type Groups = Pick<Person, PersonGroup>

/** Reads the requested groups for all records, in the same order, with at most one query per group. */
export async function readPersonGroups(
  db: Db,
  records: readonly PersonRecord[],
  groups: ReadonlySet<PersonGroup>,
): Promise<Groups[]> {
  if (groups.size === 0 || records.length === 0) return records.map(() => ({}))
  const [filings, history] = await Promise.all([
    groups.has('formadv') ? readFilings(db, records) : undefined,
    groups.has('history') ? readLatestOfPersons(db, records) : undefined,
  ])
  return records.map((record) => ({
    ...(groups.has('contact') && { contact: contactOf(record) }),
    ...(groups.has('profile') && { profile: profileOf(record) }),
    ...(filings && { formadv: filings.get(record.person_id) ?? null }),
    ...(history && { history: history.get(record.person_id) ?? [] }),
  }))
}

const contactOf = ({ email, email_status, email_confidence, phone, social_url }: PersonRecord) => ({
  email,
  email_status,
  email_confidence,
  phone,
  social_url,
})

const profileOf = (record: PersonRecord) => ({
  last_seen_at: record.last_seen_at,
  left_at: record.left_at,
  company_industry: record.company_industry,
  company_employee_count: record.company_employee_count,
  company_city: record.company_city,
  company_state: record.company_state,
  company_country: record.company_country,
})

/** Reads each person's highest-confidence Form ADV entry, keyed by `person_id`. */
async function readFilings(
  db: Db,
  records: readonly PersonRecord[],
): Promise<Map<string, NonNullable<Groups['formadv']>>> {
  const rows = await db
    .selectFrom('person_observation')
    .select(['person_id', 'fields', 'observed_at', 'url'])
    .where('company_domain', 'in', [...new Set(records.map(({ company_domain }) => company_domain))])
    .where(
      'person_id',
      'in',
      records.map(({ person_id }) => person_id),
    )
    .where('source', '=', FORM_ADV)
    .orderBy('confidence')
    .execute()
  return new Map(
    rows.map(({ person_id, fields, observed_at, url }) => {
      const { title = null, full_name } = fields as unknown as Partial<PersonObservation> & { full_name: string }
      return [person_id, { title, full_name, observed_at, url }]
    }),
  )
}
