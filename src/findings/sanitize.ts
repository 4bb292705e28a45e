import { valuesWithoutControls } from '../lib/control-characters.ts'
import { MAX_INTEGER, storableJson } from '../lib/storable-text.ts'
import { NO_EMAIL } from './person-fields.ts'
import type { CompanyField, Findings, Observation, PersonObservation, SignalObservation } from './provider.ts'

/** Maximum lengths. Longer values are dropped, because they result from misread pages or attacks. */
const LONGEST_TEXT = 300
const LONGEST_URL = 2048
const LONGEST: Partial<Record<CompanyField, number>> = {
  description: 5000,
  social_url: LONGEST_URL,
  logo_url: LONGEST_URL,
}

/**
 * Returns whether a value is plausible for its field. An implausible value is, for example, a one-megabyte name or a
 * headcount of -1.
 */
export function isAdmissible(field: CompanyField, value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER
  return typeof value === 'string' && value !== '' && value.length <= (LONGEST[field] ?? LONGEST_TEXT)
}

/**
 * Sanitizes a provider's findings: removes control characters, and drops values that are invalid or implausibly long.
 */
export function sanitizeFindings(findings: Findings): Findings {
  const { observations, people, signals, ...answer } = valuesWithoutControls(
    JSON.parse(storableJson(findings)) as Findings,
  )
  return {
    ...answer,
    observations: observations.filter(({ field, value }) => isAdmissible(field, value)).map(withUrl),
    people: people.filter(({ full_name }) => full_name !== '' && isAtMost(full_name, LONGEST_TEXT)).map(person),
    signals: signals.filter(({ headline }) => headline !== '' && isAtMost(headline, LONGEST_TEXT)).map(withUrl),
  }
}

const isAtMost = (text: string | null, length: number): boolean => text !== null && text.length <= length
const orNull = (text: string | null, length: number): string | null => (isAtMost(text, length) ? text : null)

function withUrl<Found extends Observation | PersonObservation | SignalObservation>(found: Found): Found {
  return { ...found, url: orNull(found.url, LONGEST_URL) }
}

function person(found: PersonObservation): PersonObservation {
  const email = orNull(found.email, LONGEST_TEXT)
  return {
    ...withUrl(found),
    title: orNull(found.title, LONGEST_TEXT),
    phone: orNull(found.phone, LONGEST_TEXT),
    social_url: orNull(found.social_url, LONGEST_URL),
    ...(email === null && NO_EMAIL),
  }
}
