import { normalizeDomain } from '../companies/normalize-domain.ts'
import { AppError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { hashEmail } from '../personal-data/email-hash.ts'

/** Describes a person by one identifier, or by name and company. */
export interface PersonDescription {
  email?: string | undefined
  /** The first 16 or all 64 hex digits of the address's SHA-256. */
  email_hash?: string | undefined
  person_id?: string | undefined
  social_url?: string | undefined
  full_name?: string | undefined
  company_domain?: string | undefined
}

const HASH = /^[0-9a-f]{16}([0-9a-f]{48})?$/
const ADDRESS = /^[^\s@]+@[^\s@]+$/
const PROFILE = /^(https?:\/\/)?[^/\s]+\.[^/\s]+\/\S+$/i

const HELP =
  'Describe the person by an email address, the first 16 hex digits of its SHA-256, a person_id, a profile URL, or a full name with the company domain.'

/** Parses an address, hash, person_id, profile URL, or (if a company is given) a name. Throws `invalid_request`. */
export function parseDescription(text: string, company?: string): PersonDescription {
  const given = text.trim()
  const lower = given.toLowerCase()
  if (company !== undefined) return checkDescription({ full_name: given, company_domain: company })
  if (HASH.test(lower)) return checkDescription({ email_hash: lower })
  if (isUuid(lower)) return checkDescription({ person_id: lower })
  if (ADDRESS.test(given)) return checkDescription({ email: given })
  if (PROFILE.test(given)) return checkDescription({ social_url: given })
  throw new AppError('invalid_request', HELP)
}

/**
 * Normalizes a description. Throws `invalid_request` unless the description has exactly one identifier, or a name with
 * its company.
 */
export function checkDescription(given: PersonDescription): PersonDescription {
  const { email, email_hash, person_id, social_url, full_name, company_domain } = given
  const identifiers = [email, email_hash, person_id, social_url, full_name ?? company_domain]
  if (identifiers.filter((identifier) => identifier !== undefined).length !== 1)
    throw new AppError('invalid_request', HELP)
  if (email !== undefined && ADDRESS.test(email.trim())) return { email: hashEmail(email).email }
  if (email_hash !== undefined && HASH.test(email_hash.toLowerCase()))
    return { email_hash: email_hash.toLowerCase().slice(0, 16) }
  if (person_id !== undefined && isUuid(person_id)) return { person_id: person_id.toLowerCase() }
  if (social_url !== undefined && PROFILE.test(social_url.trim())) return { social_url: social_url.trim() }
  if (full_name?.trim() && company_domain !== undefined)
    return { full_name: full_name.trim(), company_domain: normalizeDomain(company_domain) }
  throw new AppError('invalid_request', HELP)
}
