import type { Static } from 'typebox'
import { Type } from 'typebox'
import { nullableText } from './nullable.ts'

export const BATCH_MAXIMUM = 1000
export const LEADERSHIP_MAXIMUM = 10
export const SIGNALS_MAXIMUM = 50

const closed = { additionalProperties: false } as const
const domain = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'A company by its domain, as people paste it: `acme.com`, `https://www.acme.com/about`',
  examples: ['acme.com'],
})
const callbackUrl = Type.Optional(
  Type.String({ maxLength: 2048, description: 'Receives a notification when the task has ended (see webhooks)' }),
)
const force = Type.Optional(Type.Boolean({ description: 'Look again even if what is known is fresh. Default: false' }))

export const EnrichCompany = Type.Object(
  {
    domain,
    include_leadership: Type.Optional(Type.Boolean({ description: 'Look for its leadership too: 5 units more' })),
    include_signals: Type.Optional(Type.Boolean({ description: 'Look for news of it too: 3 units more' })),
    force,
    callback_url: callbackUrl,
  },
  closed,
)
export type EnrichCompany = Static<typeof EnrichCompany>

/** At least one identifier: `email`, `social_url`, or `full_name` with `company_domain`. */
export const EnrichPerson = Type.Object(
  {
    email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    social_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'A profile address on a professional network' }),
    ),
    full_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Needs company_domain' })),
    company_domain: Type.Optional({ ...domain, description: 'Needs full_name' } as typeof domain),
    force,
  },
  closed,
)
export type EnrichPerson = Static<typeof EnrichPerson>

/** At least one of the two must hold something. */
export const EnrichBatch = Type.Object(
  {
    domains: Type.Optional(Type.Array(domain, { maxItems: BATCH_MAXIMUM, description: '1 unit each' })),
    emails: Type.Optional(
      Type.Array(Type.String({ format: 'email', maxLength: 320 }), {
        maxItems: BATCH_MAXIMUM,
        description: 'Persons, 1 unit each',
      }),
    ),
  },
  closed,
)
export type EnrichBatch = Static<typeof EnrichBatch>

export const SearchLeadership = Type.Object(
  {
    domains: Type.Array(domain, { minItems: 1, maxItems: LEADERSHIP_MAXIMUM, description: '5 units each' }),
    max_per_company: Type.Integer({ minimum: 1, maximum: 10, default: 5 }),
    enrich_via_social: Type.Boolean({
      default: true,
      description: 'Return profile addresses. They come from the companies’ own pages: networks are never fetched',
    }),
    callback_url: callbackUrl,
  },
  closed,
)
export type SearchLeadership = Static<typeof SearchLeadership>

export const DiscoverSignals = Type.Object(
  {
    domains: Type.Array(domain, { minItems: 1, maxItems: SIGNALS_MAXIMUM, description: '3 units each' }),
    max_articles_per_company: Type.Integer({ minimum: 1, maximum: 25, default: 10 }),
    callback_url: callbackUrl,
  },
  closed,
)
export type DiscoverSignals = Static<typeof DiscoverSignals>

export const EnrichTal = Type.Object(
  {
    force: Type.Optional(Type.Boolean({ description: 'Fresh companies too. Default: false' })),
    max_age_days: Type.Optional(
      Type.Number({ minimum: 0, maximum: 3650, description: 'Data older than so many days is stale. Default: 30' }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Tell what would be done and cost, and write nothing. Default: false' }),
    ),
  },
  closed,
)
export type EnrichTal = Static<typeof EnrichTal>

const submission = {
  task_id: Type.String({ description: 'Poll GET /v2/tasks/{task_id}' }),
  status: Type.Enum(['queued', 'running', 'completed', 'failed'], {
    description: '`queued`; `completed` when everything was fresh and nothing had to be done',
  }),
  message: Type.String(),
  units_charged: Type.Integer(),
  units_remaining: Type.Integer({ description: 'The balance after this charge' }),
}

/** The reply to every submission. */
export const SubmissionReply = Type.Object(submission)
export type SubmissionReply = Static<typeof SubmissionReply>

const companies = {
  companies_to_enrich: Type.Integer(),
  companies_skipped: Type.Integer({ description: 'Fresh already, or being enriched at this moment' }),
}

/** The reply to a TAL enrich. A dry run has no task, `status: "dry_run"`, and says in `units_required` what it would cost. */
export const TalSubmissionReply = Type.Object({
  ...submission,
  task_id: nullableText('Poll GET /v2/tasks/{task_id}; null for a dry run'),
  status: Type.Enum(['queued', 'running', 'completed', 'failed', 'dry_run']),
  ...companies,
  units_required: Type.Integer({ description: 'What it costs, or would cost' }),
})
export type TalSubmissionReply = Static<typeof TalSubmissionReply>

/** Honoured for 24 hours on every request that charges. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The same key with the same body gets the same reply and is charged once; with another body: 422',
    }),
  ),
})
