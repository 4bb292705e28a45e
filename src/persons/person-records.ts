import type { FoundPerson, Person } from '../contract/persons.ts'
import type { Db } from '../db/database.ts'

/** Query for the person and company columns that API responses contain. */
export const personRecords = (db: Db) =>
  db
    .selectFrom('person')
    .innerJoin('company', 'company.domain', 'person.company_domain')
    .select([
      'person.person_id',
      'person.email_hash',
      'person.email_digest',
      'person.email',
      'person.email_status',
      'person.email_confidence',
      'person.full_name',
      'person.first_name',
      'person.last_name',
      'person.title',
      'person.seniority',
      'person.department',
      'person.phone',
      'person.social_url',
      'person.company_domain',
      'company.name as company_name',
      'person.in_formadv',
      'person.enrichment_status',
      'person.enriched_at',
      'person.last_seen_at',
      'person.left_at',
      'company.industry as company_industry',
      'company.employee_count as company_employee_count',
      'company.headquarters_city as company_city',
      'company.headquarters_state as company_state',
      'company.headquarters_country as company_country',
    ])

export type PersonRecord = Awaited<ReturnType<ReturnType<typeof personRecords>['execute']>>[number]

/** Converts a record for API responses, without optional groups. */
export function toPerson(record: PersonRecord): Person {
  const { first_name, last_name, department, social_url, in_formadv, enrichment_status, enriched_at } = record
  return {
    ...toFoundPerson(record),
    first_name,
    last_name,
    department,
    social_url,
    in_formadv,
    enrichment_status,
    enriched_at,
  }
}

/** Converts a record to a search result. */
export function toFoundPerson(record: PersonRecord): FoundPerson {
  const { person_id, email_hash, email, full_name, title, seniority, company_domain, company_name } = record
  return { person_id, email_hash, email, full_name, title, seniority, company_domain, company_name }
}
