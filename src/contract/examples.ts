/** Examples in the OpenAPI document, by schema name. */

import type { Company, CompanyBatch, CompanyPage, Leader, Signal } from './companies.ts'
import { CONSOLE_EXAMPLES } from './console-examples.ts'
import type { CompanySubmission, Quote, QuoteDetails, SubmissionReply, TalSubmissionReply } from './enrichment.ts'
import type { FirmPage, FirmQuery, FirmSummary, FirmSummaryQuery } from './firms.ts'
import type { HistoryEvent, HistoryPage } from './history.ts'
import type { CompanyMatches } from './match.ts'
import type { CompanyPersons, ErasedPerson, FoundPerson, Person, PersonBatch, PersonPage } from './persons.ts'
import type { Erasure, ErasureFeed } from './privacy.ts'
import type { Problem } from './problem.ts'
import type { Stats } from './stats.ts'
import type { TalAdded, TalEntry, TalPage, TalRemoved } from './tal.ts'
import type { TalImport } from './tal-sheets.ts'
import type { Task, TaskPage, TaskResult } from './tasks.ts'
import type { Usage } from './usage.ts'
import type { DeliveryPage, ReplayedDelivery, WebhookEvent, WebhookSecret } from './webhooks.ts'

const DOMAIN = 'acme.example'
const PERSON_ID = '5b1f6c0a-7a52-4f0e-9d53-0c7a1f6f2b11'
const TASK_ID = '886185c4-2f0b-4c5e-8a55-3d1c7f4d9f10'
const EMAIL_HASH = '9f4c1d2a77b03e58'
const AT = '2026-11-21T02:00:00.123456Z'

const leader: Leader = {
  person_id: PERSON_ID,
  email_hash: EMAIL_HASH,
  full_name: 'Ada Byron',
  first_name: 'Ada',
  last_name: 'Byron',
  title: 'Chief Executive Officer',
  seniority: 'executive',
  department: 'executive',
  email: `ada@${DOMAIN}`,
  email_status: 'published',
  email_confidence: 0.97,
  social_url: null,
  confidence: 0.9,
  source: 'website',
  url: `https://${DOMAIN}/team`,
}

const signal: Signal = {
  type: 'Funding',
  headline: 'Acme raises $12 million',
  date: '2026-11-18',
  url: `https://${DOMAIN}/news/series-a`,
  source: 'website',
  confidence: 0.92,
  about: "the page is the company's own",
  first_seen_at: AT,
}

const company: Company = {
  domain: DOMAIN,
  name: 'Acme',
  legal_name: 'Acme Works LLC',
  description: 'Makes instruments for laboratories.',
  industry: 'Machinery',
  naics_code: '333248',
  naics_title: 'All Other Industrial Machinery Manufacturing',
  employee_count: 42,
  employee_range: '11-50',
  headquarters_street: '1 Long Lane',
  headquarters_city: 'Denver',
  headquarters_state: 'CO',
  headquarters_postal_code: '80202',
  headquarters_country: 'United States',
  phone: '+13035550100',
  social_url: null,
  logo_url: `https://${DOMAIN}/logo.svg`,
  founded_year: 1987,
  in_formadv: false,
  enrichment_status: 'complete',
  status_reason: null,
  enriched_at: AT,
  leadership_enriched_at: AT,
  signals_enriched_at: null,
  retry_at: null,
  history_at: AT,
  updated_at: AT,
}

const foundPerson: FoundPerson = {
  person_id: PERSON_ID,
  email_hash: EMAIL_HASH,
  email: `ada@${DOMAIN}`,
  full_name: 'Ada Byron',
  title: 'Chief Executive Officer',
  seniority: 'executive',
  company_domain: DOMAIN,
  company_name: 'Acme',
}

const person: Person = {
  ...foundPerson,
  first_name: 'Ada',
  last_name: 'Byron',
  department: 'executive',
  social_url: null,
  in_formadv: false,
  enrichment_status: 'complete',
  enriched_at: AT,
}

const event: HistoryEvent = {
  id: '0d9d3f9c-7a11-4b6c-9c0e-5d0a4c589d8f',
  entity: 'company',
  key: DOMAIN,
  person_id: null,
  kind: 'updated',
  field: 'employee_count',
  old_value: 38,
  new_value: 42,
  changed_at: AT,
  source: 'website',
  task_id: TASK_ID,
}

const task: Task = {
  id: TASK_ID,
  task_type: 'leadership_search',
  status: 'completed',
  progress: 1,
  created_at: '2026-11-21T01:59:21.000000Z',
  completed_at: AT,
  units_charged: 5,
  units_refunded: 0,
}

const taskResult: TaskResult = {
  ...task,
  input_data: { domains: [DOMAIN], max_per_company: 5, enrich_via_social: true },
  output_data: {
    leadership: [
      {
        domain: DOMAIN,
        outcome: 'complete',
        reason: null,
        contacts: [
          {
            person_id: PERSON_ID,
            full_name: 'Ada Byron',
            email: `ada@${DOMAIN}`,
            title: 'Chief Executive Officer',
            social_url: null,
            seniority: 'executive',
          },
        ],
      },
    ],
    units_refunded: 0,
  },
}

const submission: SubmissionReply = {
  task_id: TASK_ID,
  status: 'queued',
  message: `${DOMAIN} will be enriched. Poll the task.`,
  units_charged: 1,
  units_remaining: 4999,
}

const talSubmission: TalSubmissionReply = {
  ...submission,
  message: '1 company will be enriched. Poll the task.',
  companies_to_enrich: 1,
  companies_skipped: 39,
  units_required: 1,
}

const talEntry: TalEntry = { ...company, source: 'prospects', attributes: { owner: 'Jane', tier: 'A' }, added_at: AT }
const page = { total: 1, limit: 50, offset: 0 }

const replies = {
  Company: { ...company, leadership: [leader], signals: [signal] } satisfies Company,
  CompanyPage: { companies: [company], ...page } satisfies CompanyPage,
  CompanyBatch: { companies: [company], not_found: ['birch.example'] } satisfies CompanyBatch,
  CompanyPersonPage: { persons: [person], ...page } satisfies CompanyPersons,
  PersonBatch: {
    companies: [{ domain: DOMAIN, persons: [person], total: 1 }],
    not_found: ['birch.example'],
  } satisfies PersonBatch,
  Person: person,
  PersonPage: { persons: [foundPerson], ...page } satisfies PersonPage,
  ErasureReport: { email_hash: EMAIL_HASH, persons: 1, events: 7, signals: 0 } satisfies ErasedPerson,
  HistoryPage: { events: [event], total: 1, limit: 50, offset: 0 } satisfies HistoryPage,
  HistoryEvent: event,
  FirmPage: {
    data: [{ legal_name: 'OSTERVANE HARBOR FINANCIAL LP', region: 'NYRO', aum_total_usd: 3_932_010_150.53 }],
    total_count: 400,
    next_cursor: 'WyJORVciXQ.5f1d',
    as_of: '2026-11-01',
  } as unknown as FirmPage,
  FirmSummaryQuery: { filters: { region: 'eq.NYRO' } } satisfies FirmSummaryQuery,
  FirmSummary: {
    firms: 25,
    aum_total_usd: 27_900_000_000,
    by_state: [{ state: 'NY', firms: 25, aum_total_usd: 27_900_000_000 }],
    by_assets: [{ from_usd: 1e9, to_usd: 10e9, firms: 25, aum_total_usd: 27_900_000_000 }],
    as_of: '2026-11-01',
  } satisfies FirmSummary,
  FirmExport: { select: ['legal_name', 'aum_total_usd'], filters: { region: 'eq.NYRO' }, order: 'aum_total_usd.desc' },
  TalPage: { companies: [talEntry], total: 1, fresh_days: 30, limit: 1000, offset: 0 } satisfies TalPage,
  TalAdditionResult: { added: [DOMAIN], already_present: [], updated: [], rejected: [] } satisfies TalAdded,
  TalRemovalResult: { removed: [DOMAIN], not_present: [] } satisfies TalRemoved,
  CompanyMatches: {
    matches: [
      {
        status: 'matched',
        candidates: [
          {
            domain: DOMAIN,
            crd_number: null,
            name: 'Acme',
            legal_name: 'Acme Works LLC',
            matched_name: 'Acme Works LLC',
            city: 'Boston',
            state: 'MA',
            country: 'United States',
            likelihood: 0.97,
            agreed: ['name', 'state'],
            disagreed: [],
          },
        ],
      },
    ],
  } satisfies CompanyMatches,
  TalImport: {
    dry_run: true,
    columns: { domain: 'Website', name: 'Company' },
    attributes: ['Company', 'Owner'],
    rows: 1,
    matched: 1,
    doubtful: 0,
    unknown: 0,
    blank: 0,
    duplicates: 0,
    added: 0,
    updated: 0,
    results: [
      {
        row: 2,
        status: 'matched',
        given: 'Acme Works',
        domain: DOMAIN,
        likelihood: 0.97,
        matched_name: 'Acme Works LLC',
        duplicate_of: null,
        reason: null,
      },
    ],
  } satisfies TalImport,
  Submission: submission,
  CompanySubmission: submission satisfies CompanySubmission,
  TalSubmission: talSubmission,
  Task: task,
  TaskPage: { tasks: [task], limit: 20 } satisfies TaskPage,
  TaskResult: taskResult,
  Usage: {
    plan: 'standard',
    units_remaining: 4999,
    units_used_this_period: 1,
    period_started_at: '2026-11-01T00:00:00.000000Z',
    period_ends_at: '2026-12-01T00:00:00.000000Z',
    overage_allowed: false,
  } satisfies Usage,
  Stats: {
    companies: { total: 440, enriched: 40, from_formadv: 400 },
    persons: { total: 212, enriched: 212, from_formadv: 0 },
  } satisfies Stats,
  WebhookSecret: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } satisfies WebhookSecret,
  WebhookDeliveryPage: {
    deliveries: [
      {
        id: '6f0c1e1e-7d0f-4d0a-9a5e-0a1b2c3d4e5f',
        task_id: TASK_ID,
        url: 'https://hooks.acme.example/talhouse',
        status: 'delivered',
        created_at: AT,
        next_attempt_at: null,
        attempts: [{ attempted_at: AT, status: 204, error: null, milliseconds: 81 }],
      },
    ],
    limit: 20,
  } satisfies DeliveryPage,
  ReplayedDelivery: { id: '6f0c1e1e-7d0f-4d0a-9a5e-0a1b2c3d4e5f', status: 'pending' } satisfies ReplayedDelivery,
  WebhookEvent: {
    type: 'task.completed',
    timestamp: '2026-11-21T02:00:00.000Z',
    data: { task_id: TASK_ID, task_type: 'leadership_search', status: 'completed' },
  } satisfies WebhookEvent,
  Quote: {
    quote_id: '3f0c8b1e-94a7-4d3a-8a0e-6b7f2f5d1c22',
    expires_at: '2026-11-21T03:00:00.123456Z',
    units_required: 6,
    units_remaining: 4999,
    is_covered: true,
    overage_allowed: false,
    message: `${DOMAIN} will be enriched.`,
  } satisfies Quote,
  QuoteDetails: {
    quote_id: '3f0c8b1e-94a7-4d3a-8a0e-6b7f2f5d1c22',
    status: 'open',
    created_at: AT,
    expires_at: '2026-11-21T03:00:00.123456Z',
    request: { company: { domain: DOMAIN, include_leadership: true } },
    message: `${DOMAIN} will be enriched.`,
    units_required: 6,
    units_now: 6,
    units_remaining: 4999,
    is_covered: true,
    overage_allowed: false,
    task_id: null,
    units_charged: null,
    items: [{ domain: DOMAIN, units: 6 }],
    items_total: 1,
    limit: 50,
    offset: 0,
  } satisfies QuoteDetails,
  QuotedItem: { domain: DOMAIN, units: 6 },
  Erasure: {
    erasure_id: 1,
    places: [{ table: 'person', rows: 1, removal: 'delete' }],
  } satisfies Erasure,
  ErasureFeed: {
    hmac_key: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    erasures: [
      { erasure_id: 1, position: 1, erased_at: AT, lifted_at: null, macs: ['2c26b46b68ffc68ff99b453c1d304134'] },
    ],
    limit: 100,
  } satisfies ErasureFeed,
  Problem: {
    detail: '/domain is required.',
    code: 'unprocessable',
    request_id: '0b6c1c0e-5d0a-4c58-9d8f-0d9d3f9c7a11',
    errors: [{ path: '/domain', message: 'is required' }],
  } satisfies Problem,
  Health: { status: 'live' },
}

const requests = {
  FirmQuery: {
    select: ['legal_name', 'region', 'aum_total_usd'],
    filters: { region: 'eq.NYRO', aum_total_usd: ['gte.1000000', 'lt.2000000000'] },
    order: 'aum_total_usd.desc',
    limit: 3,
  } satisfies FirmQuery,
  CompanyBatchReadRequest: { domains: [DOMAIN, 'birch.example'], include: 'leadership,signals' },
  PersonBatchReadRequest: { domains: [DOMAIN, 'birch.example'], include: 'contact' },
  EnrichCompanyRequest: {
    domain: DOMAIN,
    include_leadership: true,
    callback_url: 'https://hooks.acme.example/talhouse',
  },
  QuoteRequest: { company: { domain: DOMAIN, include_leadership: true } },
  ErasureRequest: { email: `ada@${DOMAIN}`, dry_run: true },
  EnrichPersonRequest: { full_name: 'Ada Byron', company_domain: DOMAIN },
  EnrichBatchRequest: { domains: [DOMAIN], emails: [`ada@${DOMAIN}`] },
  LeadershipSearchRequest: { domains: [DOMAIN], max_per_company: 5 },
  SignalDiscoveryRequest: { domains: [DOMAIN], max_articles_per_company: 10 },
  TalAddition: { domains: [DOMAIN, 'https://www.birch.example/about'], source: 'prospects' },
  CompanyMatchRequest: { companies: [{ name: 'Acme Works', state: 'MA' }] },
  TalRemoval: { domains: [DOMAIN] },
  TalEnrichRequest: { max_age_days: 30, dry_run: true },
}

export const EXAMPLES: Record<string, object> = { ...replies, ...requests, ...CONSOLE_EXAMPLES }
