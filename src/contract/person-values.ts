import { named } from './named.ts'
import { nullableEnum } from './nullable.ts'

/**
 * Seniority levels, highest first. `executive`: company heads, owners and chief officers. `partner`: owners without an
 * executive position. `board`: members of a supervisory body. `senior`: experienced staff without direct reports.
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

export const Seniority = named(
  'Seniority',
  nullableEnum(
    SENIORITIES,
    'Seniority level, highest first. `executive` includes company heads, owners and chief officers.',
  ),
)
export const EmailStatus = named(
  'EmailStatus',
  nullableEnum(EMAIL_STATUSES, "`published` at a source, `derived` from the domain's address pattern, or `guessed`."),
)
