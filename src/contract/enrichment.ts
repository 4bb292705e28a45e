import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Company, pageLimit } from './companies.ts'
import { documented } from './documented.ts'
import { named } from './named.ts'
import { absentIfNull, nullableInteger, nullableText, timestamp } from './nullable.ts'

export const BATCH_MAXIMUM = 1000
export const LEADERSHIP_MAXIMUM = 10
export const SIGNALS_MAXIMUM = 50

const closed = { additionalProperties: false } as const
const domain = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Company domain or URL, such as `acme.com` or `https://www.acme.com/about`.',
  examples: ['acme.com'],
})
/**
 * A public hostname without empty labels or double hyphens. Ports are limited by `webhooks.ports`. The service's
 * settings may allow other URLs.
 */
const RECEIVER = '^https://([A-Za-z0-9]+(-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,24}(:(443|80|8443))?([/?#][!-~]*)?$'
const callbackUrl = documented(
  absentIfNull(Type.String({ maxLength: 2048, description: 'https URL that receives a webhook when the task ends.' })),
  { pattern: RECEIVER },
)
const force = absentIfNull(Type.Boolean({ description: 'Enrich even if the data is fresh. Default: false.' }))

export const EnrichCompany = named(
  'EnrichCompanyRequest',
  Type.Object(
    {
      domain,
      include_leadership: absentIfNull(
        Type.Boolean({ description: 'If true, also enriches leadership, which costs 5 more units. Default: false.' }),
      ),
      include_signals: absentIfNull(
        Type.Boolean({ description: 'If true, also discovers signals, which costs 3 more units. Default: false.' }),
      ),
      force,
      callback_url: callbackUrl,
    },
    closed,
  ),
)
export type EnrichCompany = Static<typeof EnrichCompany>

/** At least one identifier: `email`, `social_url`, or `full_name` with `company_domain`. */
export const EnrichPerson = named(
  'EnrichPersonRequest',
  Type.Object(
    {
      email: absentIfNull(Type.String({ format: 'email', maxLength: 320 })),
      social_url: absentIfNull(
        Type.String({ minLength: 1, maxLength: 2048, description: 'Profile URL on a professional network.' }),
      ),
      full_name: absentIfNull(Type.String({ minLength: 1, maxLength: 200, description: 'Requires company_domain.' })),
      company_domain: absentIfNull({ ...domain, description: 'Requires full_name.' } as typeof domain),
      force,
    },
    closed,
  ),
)
export type EnrichPerson = Static<typeof EnrichPerson>

/** At least one of `domains` and `emails` must be non-empty. */
export const EnrichBatch = named(
  'EnrichBatchRequest',
  Type.Object(
    {
      domains: absentIfNull(
        Type.Array(domain, { maxItems: BATCH_MAXIMUM, description: 'Companies to enrich, 1 unit each.' }),
      ),
      emails: absentIfNull(
        Type.Array(Type.String({ format: 'email', maxLength: 320 }), {
          maxItems: BATCH_MAXIMUM,
          description: 'Email addresses of persons, 1 unit each.',
        }),
      ),
    },
    closed,
  ),
)
export type EnrichBatch = Static<typeof EnrichBatch>

export const SearchLeadership = named(
  'LeadershipSearchRequest',
  Type.Object(
    {
      domains: Type.Array(domain, {
        minItems: 1,
        maxItems: LEADERSHIP_MAXIMUM,
        description: 'Companies to search for leadership, 5 units each.',
      }),
      max_per_company: Type.Integer({ minimum: 1, maximum: 10, default: 5 }),
      enrich_via_social: Type.Boolean({
        default: true,
        description:
          'Return profile URLs. Profile URLs are read from company websites; social networks are never fetched.',
      }),
      callback_url: callbackUrl,
    },
    closed,
  ),
)
export type SearchLeadership = Static<typeof SearchLeadership>

export const DiscoverSignals = named(
  'SignalDiscoveryRequest',
  Type.Object(
    {
      domains: Type.Array(domain, {
        minItems: 1,
        maxItems: SIGNALS_MAXIMUM,
        description: 'Companies to search for signals, 3 units each.',
      }),
      max_articles_per_company: Type.Integer({ minimum: 1, maximum: 25, default: 10 }),
      callback_url: callbackUrl,
    },
    closed,
  ),
)
export type DiscoverSignals = Static<typeof DiscoverSignals>

export const EnrichTal = named(
  'TalEnrichRequest',
  Type.Object(
    {
      force: absentIfNull(Type.Boolean({ description: 'Also enrich fresh companies. Default: false.' })),
      max_age_days: absentIfNull(
        Type.Number({ minimum: 0, maximum: 3650, description: 'Maximum age of fresh data in days. Default: 30.' }),
      ),
      dry_run: absentIfNull(
        Type.Boolean({ description: 'Return the cost without charging or enriching. Default: false.' }),
      ),
    },
    closed,
  ),
)
export type EnrichTal = Static<typeof EnrichTal>

const submission = {
  task_id: Type.String({ description: 'Task ID for GET /v2/tasks/{task_id}.' }),
  status: Type.Enum(['queued'], {
    description:
      'Always `queued`. If all data is fresh, the task is already completed with 0 units charged; `message` states this, and GET /v2/tasks/{task_id} returns `completed`.',
  }),
  message: Type.String({ description: 'Description of the enrichment, including skipped records.' }),
  units_charged: Type.Integer({ description: 'Units charged for this request.' }),
  units_remaining: Type.Integer({ description: 'Balance after this charge.' }),
}

/** The response to every submission. */
export const SubmissionReply = named('Submission', Type.Object(submission))
export type SubmissionReply = Static<typeof SubmissionReply>

const companies = {
  companies_to_enrich: Type.Integer({ description: 'Number of companies to be enriched and charged for.' }),
  companies_skipped: Type.Integer({
    description: 'Number of companies that are skipped because they are fresh or already being enriched.',
  }),
}

export const WaitQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description:
          'Wait up to this many seconds for the task, and return the company with the task. talhouse extension.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The response to a company enrichment. */
export const CompanySubmission = named(
  'CompanySubmission',
  Type.Object({
    ...submission,
    company: Type.Optional(Company),
  }),
)
export type CompanySubmission = Static<typeof CompanySubmission>

/** The request to quote. Exactly one field is set; its value is the body of the paid request. */
export const QuoteRequest = named(
  'QuoteRequest',
  Type.Object(
    {
      company: Type.Optional(EnrichCompany),
      person: Type.Optional(EnrichPerson),
      batch: Type.Optional(EnrichBatch),
      leadership: Type.Optional(SearchLeadership),
      signals: Type.Optional(DiscoverSignals),
      list: Type.Optional(EnrichTal),
    },
    closed,
  ),
)
export type QuoteRequest = Static<typeof QuoteRequest>

const quote = {
  quote_id: Type.String({
    description: 'Quote ID for GET /v2/quotes/{quote_id} and POST /v2/quotes/{quote_id}/purchase.',
  }),
  expires_at: Type.String({ format: 'date-time', description: 'Time after which the quote cannot be purchased.' }),
  units_required: Type.Integer({ description: 'Quoted cost in units; a purchase never charges more.' }),
  units_remaining: Type.Integer({ description: 'Balance before the request.' }),
  is_covered: Type.Boolean({ description: 'Whether the balance, including any allowed overage, covers the request.' }),
  overage_allowed: Type.Boolean({ description: 'Whether the balance may go below zero.' }),
}

/** The cost of a paid request. */
export const Quote = named(
  'Quote',
  Type.Object({
    ...quote,
    message: Type.String({ description: 'Description of the enrichment that the request would start.' }),
  }),
)
export type Quote = Static<typeof Quote>

export const QuoteQuery = Type.Object(
  {
    limit: { ...pageLimit, description: 'Maximum number of items per page.' },
    offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0, description: 'Number of items to skip.' }),
  },
  closed,
)

const QuotedPerson = Type.Object(
  {
    email: Type.Optional(Type.String()),
    social_url: Type.Optional(Type.String()),
    full_name: Type.Optional(Type.String()),
    company_domain: Type.Optional(Type.String()),
  },
  { description: 'For a person, the identifiers given in the request.' },
)

/** A company or person that a purchase would enrich. */
const QuotedItem = named(
  'QuotedItem',
  Type.Object({
    domain: nullableText('Company domain; null for a person without a known company.'),
    person: Type.Optional(QuotedPerson),
    units: Type.Integer({ description: 'Cost in units. 0 for fresh data, which is not enriched.' }),
  }),
)

/** A stored quote with the details that an approver reviews before the purchase. */
export const QuoteDetails = named(
  'QuoteDetails',
  Type.Object({
    ...quote,
    status: Type.Enum(['open', 'purchased', 'expired'], {
      description:
        'Only an `open` quote can be purchased. Purchasing a `purchased` quote again returns the original response.',
    }),
    created_at: timestamp('When the quote was created.'),
    request: Type.Unsafe<QuoteRequest>({
      type: 'object',
      additionalProperties: true,
      description: 'The quoted request, as in POST /v2/quotes.',
    }),
    message: Type.String({
      description:
        'Description of the enrichment that a purchase would start, or the reason the quote cannot be purchased.',
    }),
    units_now: nullableInteger(
      'Cost of a purchase now; null unless the quote is open. If it exceeds `units_required`, the purchase is refused.',
    ),
    task_id: nullableText('Task created by the purchase; null until the purchase.'),
    units_charged: nullableInteger('Units charged by the purchase; null until the purchase.'),
    items: Type.Array(QuotedItem, {
      description:
        'Companies and persons that a purchase would enrich now, in the order of the request. Empty unless the quote is open.',
    }),
    items_total: Type.Integer({ description: 'Total number of items across all pages.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)
export type QuoteDetails = Static<typeof QuoteDetails>

/**
 * The response to a TAL enrich request. A dry run does not create a task; the status is `dry_run`, and `units_required`
 * contains the cost.
 */
export const TalSubmissionReply = named(
  'TalSubmission',
  Type.Object({
    ...submission,
    task_id: nullableText('Task ID for GET /v2/tasks/{task_id}; null for a dry run.'),
    status: Type.Enum(['queued', 'dry_run'], { description: '`queued`, or `dry_run` for a dry run.' }),
    ...companies,
    units_required: Type.Integer({ description: 'Cost of the request in units.' }),
  }),
)
export type TalSubmissionReply = Static<typeof TalSubmissionReply>

/** Headers accepted by every paid endpoint. Requests repeated with the same key within 24 hours are charged once. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A repeated request with the same key and body returns the original response and is charged once; with a different body, it returns a 422.',
    }),
  ),
})
