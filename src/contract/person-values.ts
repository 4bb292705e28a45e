import { Type } from 'typebox'
import { named } from './named.ts'

/**
 * Seniority levels, highest first. `executive`: company heads, owners and chief officers. `partner`: owners without an
 * executive position. `board`: members of a supervisory body. `senior`: experienced staff without reports.
 */
export const SENIORITIES = [
  'executive',
  'partner',
  'board',
  'vice_president',
  'director',
  'manager',
  'senior',
  'staff',
  'junior',
] as const
export type Seniority = (typeof SENIORITIES)[number]

export const EMAIL_STATUSES = ['published', 'derived', 'guessed'] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]

const enumOrNull = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value | null>({ type: ['string', 'null'], enum: [...values, null], description })

export const Seniority = named(
  'Seniority',
  enumOrNull(SENIORITIES, 'Seniority level, highest first: executive are company heads, owners and chief officers.'),
)
export const EmailStatus = named(
  'EmailStatus',
  enumOrNull(
    EMAIL_STATUSES,
    '`published` at a source, `derived` from the address pattern of the domain, or `guessed`.',
  ),
)
