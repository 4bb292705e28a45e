import type { Static } from 'typebox'
import { Type } from 'typebox'
import { SignalType } from './companies.ts'
import { named } from './named.ts'
import { nullableNumber, nullableText, nullableTimestamp, timestamp } from './nullable.ts'
import { EmailStatus, Seniority } from './person-values.ts'

export const TASK_TYPES = [
  'enrich_company',
  'enrich_company_with_leadership',
  'enrich_company_with_signals',
  'enrich_company_with_leadership_and_signals',
  'enrich_person',
  'enrich_batch',
  'leadership_search',
  'signal_discovery',
  'tal_enrich',
] as const
export type TaskType = (typeof TASK_TYPES)[number]

const status = named('TaskStatus', Type.Enum(['queued', 'running', 'completed', 'failed']))

const task = {
  id: Type.String(),
  task_type: named('TaskType', Type.Enum([...TASK_TYPES])),
  status,
  progress: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'Share of companies and persons processed. In tasks with up to 100 items, an unfinished item counts as the share of its sources that have responded.',
  }),
  created_at: timestamp('When the task was accepted.'),
  completed_at: nullableTimestamp('When the task ended.'),
  units_charged: Type.Integer(),
  units_refunded: Type.Integer({ description: 'Units refunded for items that failed or were not found.' }),
}

export const Task = named('Task', Type.Object(task))
export type Task = Static<typeof Task>

export const TaskQuery = Type.Object(
  {
    status: Type.Optional(status),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    offset: Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      default: 0,
      description: 'Number of tasks to skip. talhouse extension.',
    }),
  },
  { additionalProperties: false },
)
export type TaskQuery = Static<typeof TaskQuery>

export const TaskPage = named('TaskPage', Type.Object({ tasks: Type.Array(Task), limit: Type.Integer() }))
export type TaskPage = Static<typeof TaskPage>

const ended = {
  outcome: named(
    'ItemOutcome',
    Type.Enum(['complete', 'partial', 'fresh', 'not_found', 'failed'], {
      description:
        '`fresh`: the data was fresh, so the item was not enriched. Items with `not_found` or `failed` are refunded.',
    }),
  ),
  reason: nullableText('Why the item is not complete.'),
}

const CompanyResult = named(
  'CompanyResult',
  Type.Object({
    domain: Type.String(),
    ...ended,
    groups: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Outcome of each group.' })),
    changed: Type.Optional(
      Type.Object(
        { fields: Type.Integer(), people: Type.Integer(), signals: Type.Integer() },
        { description: 'Number of changes to the record.' },
      ),
    ),
  }),
)

const Contact = named(
  'LeadershipContact',
  Type.Object({
    person_id: Type.String({ description: 'Identifier for GET /v2/persons/{email_hash}. talhouse extension.' }),
    full_name: Type.String(),
    email: nullableText('Email address; null if unknown.'),
    title: nullableText('Job title as written at the source.'),
    social_url: nullableText('Profile URL linked by the company.'),
    seniority: Seniority,
  }),
)

const LeadershipResult = named(
  'LeadershipResult',
  Type.Object({ domain: Type.String(), ...ended, contacts: Type.Array(Contact) }),
)

const SignalResult = named(
  'SignalResult',
  Type.Object({
    domain: Type.String(),
    ...ended,
    signals: Type.Array(
      Type.Object({
        type: SignalType,
        date: nullableText('Publication date.'),
        headline: Type.String(),
        url: nullableText('URL of the article.'),
        confidence: Type.Number(),
      }),
    ),
  }),
)

const PersonResult = named(
  'PersonResult',
  Type.Object({
    ...ended,
    person: Type.Union([
      Type.Object({
        person_id: Type.String({ description: 'Identifier for GET /v2/persons/{email_hash}. talhouse extension.' }),
        email_hash: nullableText('Identifier for GET /v2/persons/{email_hash}.'),
        email: nullableText('Email address; null if unknown.'),
        email_status: EmailStatus,
        email_confidence: nullableNumber('Probability that the address is correct.'),
        first_name: nullableText('Given name.'),
        last_name: nullableText('Family name.'),
        full_name: Type.String(),
        title: nullableText('Job title as written at the source.'),
        seniority: Seniority,
        department: nullableText('Department within the company.'),
        company_domain: Type.String(),
        social_url: nullableText('Profile URL.'),
      }),
      Type.Null(),
    ]),
  }),
)

/** A task's output, by request type. People and signals are returned with their current data. */
export const TaskOutput = named(
  'TaskOutput',
  Type.Object({
    companies: Type.Optional(Type.Array(CompanyResult)),
    persons: Type.Optional(Type.Array(PersonResult)),
    leadership: Type.Optional(Type.Array(LeadershipResult)),
    signals: Type.Optional(Type.Array(SignalResult)),
    units_refunded: Type.Integer(),
  }),
)
export type TaskOutput = Static<typeof TaskOutput>

export const TaskResult = named(
  'TaskResult',
  Type.Object({
    ...task,
    input_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Request as submitted.' }),
    output_data: Type.Union([TaskOutput, Type.Null()], { description: 'Output; null until the task has ended.' }),
  }),
)
export type TaskResult = Static<typeof TaskResult>
