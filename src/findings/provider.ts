import type { CompanyFields as ShownFields, SignalType } from '../contract/companies.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/logger.ts'

/** The fields of a company that a provider may observe, as in replies; unknown ones are left out. */
export type CompanyFields = { [Field in keyof ShownFields]: NonNullable<ShownFields[Field]> }

export type CompanyField = keyof CompanyFields

/** Where a value came from, and its confidence. */
export interface Evidence {
  /** The provider's name. */
  source: string
  /** A public page that shows it; null when there is none. */
  url: string | null
  /** When the source stated it: ISO 8601, UTC. */
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

/** A person seen at the company. Names and titles are as written, never completed. */
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

/** An event of the company, with the evidence that it is about this company. */
export interface SignalObservation extends Evidence {
  type: SignalType
  headline: string
  /** The day it was published: YYYY-MM-DD, or null when the source does not say. */
  date: string | null
  /** Why this story is about this company: `domain is the feed's own`, `name in headline`. */
  about: string
}

/** What to look for. `company` is the record's own fields. */
export type FieldGroup = 'company' | 'leadership' | 'signals'

export interface ProviderRequest {
  /** Registrable domain, lower case, punycode. */
  domain: string
  /** Known fields, so that a search can use a confirmed name. */
  known: Partial<CompanyFields>
  groups: ReadonlySet<FieldGroup>
  /** Maximum number of people, most senior first. */
  maxPeople: number
  /** Maximum number of news items read. */
  maxArticles: number
  /** Dates observations. Workers pass one that continues the database's clock (`clockFrom`), because they share records. */
  clock: Clock
  /** The caller's deadline. A provider that is aborted throws, and its findings are lost. */
  signal: AbortSignal
  log: Log
}

/**
 * How a source answered. `unavailable` is temporary (retry later); `refused` is permanent (robots.txt, a login wall);
 * `not_found` means that it was queried and has nothing on this company.
 */
export type ProviderStatus = 'found' | 'not_found' | 'unavailable' | 'refused'

export interface Findings {
  status: ProviderStatus
  /** Why the status is not `found`, or what is missing. */
  reason: string | null
  observations: Observation[]
  people: PersonObservation[]
  signals: SignalObservation[]
}

/** A public source. It reads and reports; it never writes. A failure is a status, not an exception. */
export interface Provider {
  name: string
  /** The groups it can find; it is called only when one of them is wanted. */
  groups: ReadonlySet<FieldGroup>
  /** How long its answer stays fresh, in days. */
  maxAgeDays: number
  /** It searches by the company's name; if that is unknown, it runs after the providers that may find it. */
  searchesByName?: boolean
  find(request: ProviderRequest): Promise<Findings>
}
