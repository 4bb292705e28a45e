import type { Static } from 'typebox'
import { Type } from 'typebox'
import { nullableNumber, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

const status = Type.Enum(['queued', 'running', 'completed', 'failed'])

const task = {
  id: Type.String(),
  task_type: Type.String({ examples: ['enrich_company_with_leadership', 'leadership_search'] }),
  status,
  progress: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The share of its companies and persons that are done',
  }),
  created_at: timestamp('When it was accepted.'),
  completed_at: nullableTimestamp('When it ended.'),
  units_charged: Type.Integer(),
  units_refunded: Type.Integer({ description: 'Given back at its end, for what failed or was not found' }),
}

export const Task = Type.Object(task)
export type Task = Static<typeof Task>

export const TaskQuery = Type.Object(
  { status: Type.Optional(status), limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) },
  { additionalProperties: false },
)

export const TaskList = Type.Object({ tasks: Type.Array(Task), limit: Type.Integer() })

const ended = {
  outcome: Type.Enum(['complete', 'partial', 'fresh', 'not_found', 'failed'], {
    description: '`fresh`: nothing had to be done. `not_found` and `failed` are refunded',
  }),
  reason: nullableText('Why it is not complete, in words'),
}

const CompanyResult = Type.Object({
  domain: Type.String(),
  ...ended,
  groups: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'How the search for each group ended' }),
  ),
  changed: Type.Optional(
    Type.Object(
      { fields: Type.Integer(), people: Type.Integer(), signals: Type.Integer() },
      { description: 'What changed in the record' },
    ),
  ),
})

const Contact = Type.Object({
  full_name: Type.String(),
  email: nullableText('The address, where one is known'),
  title: nullableText('As written at the source'),
  social_url: nullableText('The profile, where the company links to it'),
  seniority: nullableText('How high the title stands'),
})

const LeadershipResult = Type.Object({ domain: Type.String(), ...ended, contacts: Type.Array(Contact) })

const SignalResult = Type.Object({
  domain: Type.String(),
  ...ended,
  signals: Type.Array(
    Type.Object({
      type: Type.String(),
      date: nullableText('YYYY-MM-DD'),
      headline: Type.String(),
      url: nullableText('The article'),
      confidence: Type.Number(),
    }),
  ),
})

const PersonResult = Type.Object({
  ...ended,
  person: Type.Union([
    Type.Object({
      email_hash: nullableText('Reads the person: GET /v2/persons/{email_hash}'),
      email: nullableText('The address, where one is known'),
      email_status: nullableText('published, derived or guessed'),
      email_confidence: nullableNumber('Probability that the address is right'),
      first_name: nullableText('Given name'),
      last_name: nullableText('Family name'),
      full_name: Type.String(),
      title: nullableText('As written at the source'),
      seniority: nullableText('How high the title stands'),
      department: nullableText('Where in the company'),
      company_domain: Type.String(),
      social_url: nullableText('The profile'),
    }),
    Type.Null(),
  ]),
})

/** What a task gives, by what was asked for. People and news are shown as they are known when the result is read. */
export const TaskOutput = Type.Object({
  companies: Type.Optional(Type.Array(CompanyResult)),
  persons: Type.Optional(Type.Array(PersonResult)),
  leadership: Type.Optional(Type.Array(LeadershipResult)),
  signals: Type.Optional(Type.Array(SignalResult)),
  units_refunded: Type.Integer(),
})
export type TaskOutput = Static<typeof TaskOutput>

export const TaskResult = Type.Object({
  ...task,
  input_data: Type.Record(Type.String(), Type.Unknown(), { description: 'The request as submitted' }),
  output_data: Type.Union([TaskOutput, Type.Null()], { description: 'null until the task has ended' }),
})
export type TaskResult = Static<typeof TaskResult>
