import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableTimestamp, timestamp } from './nullable.ts'

const DATASETS = ['history', 'members', 'firms'] as const

export const Backfill = named(
  'Backfill',
  Type.Object({
    id: Type.Integer(),
    dataset: Type.Enum([...DATASETS]),
    from_at: nullableTimestamp('For history: start of the period.'),
    state: Type.Enum(['planned', 'running', 'paused', 'completed', 'failed'], {
      description: '`failed`: some parts failed; restarting the backfill retries them.',
    }),
    estimate_basis: Type.String({ description: 'Data on which the estimate is based, such as `40 members`.' }),
    estimated_requests: Type.Integer(),
    estimated_units: Type.Integer({ description: 'Reads are free.' }),
    estimated_seconds: Type.Number(),
    requests: Type.Integer({ description: 'Requests sent for the completed parts.' }),
    seconds: Type.Number({ description: 'Duration of the completed parts.' }),
    parts: Type.Integer(),
    parts_done: Type.Integer(),
    parts_failed: Type.Integer(),
    inserted: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    created_at: timestamp('When the backfill was planned.'),
    started_at: nullableTimestamp('First start.'),
    ended_at: nullableTimestamp('End of the last part.'),
  }),
)
export type Backfill = Static<typeof Backfill>

export const BackfillList = named(
  'BackfillList',
  Type.Object({ backfills: Type.Array(Backfill, { description: 'Newest first.' }) }),
)
export type BackfillList = Static<typeof BackfillList>

export const BackfillPlan = named(
  'BackfillPlan',
  Type.Object(
    {
      dataset: Type.Enum([...DATASETS]),
      from: Type.Optional(
        Type.String({ maxLength: 40, description: 'Required for history: fetch only changes after this time.' }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type BackfillPlan = Static<typeof BackfillPlan>
