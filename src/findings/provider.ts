import type { CompanyFields as ShownFields, SignalType } from '../contract/companies.ts'
import type { Log } from '../lib/logger.ts'

/** The fields of a company that a provider may observe, as replies have them; what is not known is left out. */
export type CompanyFields = { [Field in keyof ShownFields]: NonNullable<ShownFields[Field]> }

export type CompanyField = keyof CompanyFields

/** Where a value came from, and how sure its finder is. */
export interface Evidence {
  /** The provider's name. */
  source: string
  /** Where a person can see it; null when there is no page. */
  url: string | null
  /** When the source said so: ISO 8601, UTC. */
  observed_at: string
  /** How it was read: `json-ld`, `microdata`, `h-card`, `opengraph`, `page`, `roster`, `statement`, ... */
  method: string
  /** Probability that the value is right, 0 to 1. */
  confidence: number
}

/** One field value, as one source gives it. */
export type Observation = {
  [Field in CompanyField]: Evidence & {
    field: Field
    value: CompanyFields[Field] /** As written at the source. */
    raw?: string
  }
}[CompanyField]

export type EmailStatus = 'published' | 'derived' | 'guessed'

/** A person seen at the company. Names and titles are as written: never invented, never completed. */
export interface PersonObservation extends Evidence {
  full_name: string
  first_name: string | null
  last_name: string | null
  title: string | null
  seniority: string | null
  department: string | null
  email: string | null
  email_status: EmailStatus | null
  /** Probability that the address is this person's; null without one. */
  email_confidence: number | null
  phone: string | null
  social_url: string | null
}

/** Something that happened to the company, with the proof that it is about this one. */
export interface SignalObservation extends Evidence {
  type: SignalType
  headline: string
  /** The day it was published: YYYY-MM-DD, or null when the source does not say. */
  date: string | null
  /** Why this story is about this company, in a sentence: `domain is the feed's own`, `name in headline`. */
  about: string
}

/** What to look for. `company` is the record itself. */
export type FieldGroup = 'company' | 'leadership' | 'signals'

export interface ProviderRequest {
  /** Registrable domain, lower case, punycode. */
  domain: string
  /** What is known so far, so that a search can be by confirmed name. */
  known: Partial<CompanyFields>
  groups: ReadonlySet<FieldGroup>
  /** People at the most, in order of seniority. */
  maxPeople: number
  /** News items read at the most. */
  maxArticles: number
  /** The caller's deadline. A provider that is aborted throws; its other findings are lost. */
  signal: AbortSignal
  log: Log
}

/**
 * How a source answered. `unavailable` may pass (retry later); `refused` will not (robots.txt, a login wall); `not_found` means
 * that it was asked and knows nothing of this company.
 */
export type ProviderStatus = 'found' | 'not_found' | 'unavailable' | 'refused'

export interface Findings {
  status: ProviderStatus
  /** Why it is not `found`, or what is missing, in words for a person. */
  reason: string | null
  observations: Observation[]
  people: PersonObservation[]
  signals: SignalObservation[]
}

/** A public source. It reads and tells; it never writes. A failure is a status, not an exception. */
export interface Provider {
  name: string
  /** What it can find. It is asked only when one of these is wanted. */
  groups: ReadonlySet<FieldGroup>
  /** How long its answer stays fresh, in days. */
  maxAgeDays: number
  /** It searches by the company's name: when that is not known, it is asked after those that may find it. */
  searchesByName?: boolean
  find(request: ProviderRequest): Promise<Findings>
}
