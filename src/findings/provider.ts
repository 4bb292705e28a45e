import type { CompanyFields as ShownFields, SignalType } from '../contract/companies.ts'
import type { EmailStatus, Seniority } from '../contract/person-values.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/logger.ts'

/** The company fields that a provider may observe, typed as in responses. Unknown fields are absent. */
export type CompanyFields = { [Field in keyof ShownFields]: NonNullable<ShownFields[Field]> }

export type CompanyField = keyof CompanyFields

/** The origin of a value and its confidence. */
export interface Evidence {
  /** The provider's name. */
  source: string
  /** A public page that shows the value; null if there is none. */
  url: string | null
  /** Time at which the value was observed: ISO 8601, UTC. */
  observed_at: string
  /** Extraction method: `json-ld`, `microdata`, `h-card`, `opengraph`, `page`, `roster`, `statement`, ... */
  method: string
  /** Probability that the value is correct, 0 to 1. */
  confidence: number
}

/** The value of one field from one source. */
export type Observation = {
  [Field in CompanyField]: Evidence & {
    field: Field
    value: CompanyFields[Field]
    /** The value exactly as the source published it. */
    raw?: string
  }
}[CompanyField]

/** A person observed at the company. Names and titles are kept exactly as published. */
export interface PersonObservation extends Evidence {
  full_name: string
  first_name: string | null
  last_name: string | null
  title: string | null
  seniority: Seniority | null
  department: string | null
  email: string | null
  email_status: EmailStatus | null
  /** Probability that the address belongs to this person; null without an address. */
  email_confidence: number | null
  phone: string | null
  social_url: string | null
}

/** A news event, with the evidence that it concerns this company. */
export interface SignalObservation extends Evidence {
  type: SignalType
  headline: string
  /** Publication date, YYYY-MM-DD; null if the source does not state one. */
  date: string | null
  /** Evidence that the story is about this company, such as `name in the headline`. */
  about: string
}

/** A data group that can be requested. `company` means the fields of the company record. */
export type FieldGroup = 'company' | 'leadership' | 'signals'

export interface ProviderRequest {
  /** Registrable domain in lower case, punycode-encoded. */
  domain: string
  /** Known fields. News searches use the name. */
  known: Partial<CompanyFields>
  groups: ReadonlySet<FieldGroup>
  /** Maximum number of people to return. The most senior people are preferred. */
  maxPeople: number
  /** Maximum number of news items to read. */
  maxArticles: number
  /**
   * Clock used for observation timestamps. Workers pass a clock based on the database's time (`clockFrom`), because
   * they write to shared records.
   */
  clock: Clock
  /** Aborted at the caller's deadline. An aborted provider throws, and its findings are lost. */
  signal: AbortSignal
  log: Log
}

/**
 * The result of querying a source. `unavailable` is temporary, and the query can be retried. `refused` is permanent,
 * for example because of robots.txt or a login wall. `not_found` means that the source has no data on this company.
 */
export type ProviderStatus = 'found' | 'not_found' | 'unavailable' | 'refused'

export interface Findings {
  status: ProviderStatus
  /** The reason if the status is not `found` or if data is missing; otherwise null. */
  reason: string | null
  observations: Observation[]
  people: PersonObservation[]
  signals: SignalObservation[]
}

/** A provider reads from one public source. Failures of the source are reported as statuses, not exceptions. */
export interface Provider {
  name: string
  /**
   * The groups that the provider can find. The provider is called only if at least one of these groups is requested.
   */
  groups: ReadonlySet<FieldGroup>
  /** Number of days after which the provider is queried again. */
  recheckAfterDays: number
  /**
   * Whether the provider searches by company name. If the name is unknown, this provider runs after providers that may
   * find the name.
   */
  searchesByName?: boolean
  find(request: ProviderRequest): Promise<Findings>
}
