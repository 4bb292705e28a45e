import type { Evidence, PersonObservation } from './provider.ts'

type Contact = Pick<PersonObservation, 'email' | 'email_status' | 'email_confidence'>

export const NO_EMAIL: Contact = { email: null, email_status: null, email_confidence: null }

/** A person with only a name: all other fields are unknown. */
export const NO_PERSON_FIELDS: Omit<PersonObservation, 'full_name' | keyof Evidence> = {
  first_name: null,
  last_name: null,
  title: null,
  seniority: null,
  department: null,
  ...NO_EMAIL,
  phone: null,
  social_url: null,
}
