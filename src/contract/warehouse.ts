import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableEnum, nullableInteger, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

export const RUN_PAGE_DEFAULT = 50
export const RUN_PAGE_MAXIMUM = 400

const RUN_STATES = ['running', 'completed', 'failed', 'interrupted', 'abandoned'] as const

const counts = {
  inserted: Type.Integer({ description: 'Rows inserted.' }),
  updated: Type.Integer({ description: 'Rows that changed, or that returned after being marked as gone.' }),
  unchanged: Type.Integer({ description: 'Rows that were compared and had not changed.' }),
  gone: Type.Integer({ description: 'Rows marked as gone.' }),
  quarantined: Type.Integer({ description: 'Rejected records.' }),
  requests: Type.Integer({ description: 'Requests sent to the service, including retries.' }),
  units: Type.Number({ description: 'Units charged, net of refunds.' }),
}

/** A run of a pipeline. */
export const WarehouseRun = named(
  'WarehouseRun',
  Type.Object({
    id: Type.Integer({ description: 'Run ID.' }),
    pipeline: Type.String({ description: 'Name of the pipeline, such as `nightly` or `firms`.' }),
    parent_id: nullableInteger('Run of which this run is a step.'),
    continues_id: nullableInteger('Interrupted, abandoned or failed run whose remaining work this run resumes.'),
    requested_by: Type.String({ description: 'Origin of the run: `command`, `schedule`, `parent` or `console`.' }),
    scheduled_for: nullableTimestamp('Scheduled time; null if started by a person.'),
    state: Type.Enum([...RUN_STATES], {
      description: '`interrupted`: the run was stopped on request. `abandoned`: the process of the run died.',
    }),
    outcome: nullableEnum(
      ['ok', 'degraded', 'failed'],
      '`degraded`: completed, with `reasons` to check. Null unless completed or failed.',
    ),
    reasons: Type.Array(Type.String(), { description: 'Reasons for a degraded outcome.' }),
    error_code: nullableText('Code of the error that ended the run.'),
    error_message: nullableText('Message of the error that ended the run.'),
    stop_requested_at: nullableTimestamp('When a stop was requested.'),
    started_at: timestamp('Start of the run.'),
    heartbeat_at: timestamp("Latest heartbeat of the run's process."),
    ended_at: nullableTimestamp('End of the run.'),
    seconds: Type.Number({ description: 'Duration; for a run in progress, the time since its start.' }),
    done: Type.Integer({ description: "Progress, in the pipeline's unit, such as members." }),
    total: nullableInteger('Expected final value of `done`, if known.'),
    ...counts,
  }),
)
export type WarehouseRun = Static<typeof WarehouseRun>

/** A record that the warehouse rejected. */
export const RejectedRecord = named(
  'RejectedRecord',
  Type.Object({
    entity: Type.String({ description: 'Expected record type.' }),
    key: nullableText('Key of the record, if it has one.'),
    reason: Type.String({ description: 'Rejection reason.' }),
    record: Type.Unknown({ description: 'Record as received.' }),
    first_seen_at: timestamp('When the record was first received.'),
    last_seen_at: timestamp('When the record was last received.'),
    resolved_at: nullableTimestamp('When a complete pull first omitted the record.'),
    run_id: Type.Integer({ description: 'Run that last received the record.' }),
  }),
)
export type RejectedRecord = Static<typeof RejectedRecord>

export const WarehouseRunQuery = Type.Object(
  {
    pipeline: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Return only runs of this pipeline.' }),
    ),
    result: Type.Optional(
      Type.Enum(['ok', 'degraded', 'failed', 'interrupted', 'abandoned', 'running'], {
        description: 'Return only runs with this outcome or state.',
      }),
    ),
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Return only runs with a smaller ID.' })),
    limit: Type.Integer({ minimum: 1, maximum: RUN_PAGE_MAXIMUM, default: RUN_PAGE_DEFAULT }),
  },
  { additionalProperties: false },
)
export type WarehouseRunQuery = Static<typeof WarehouseRunQuery>

export const WarehouseRunPage = named(
  'WarehouseRunPage',
  Type.Object({
    runs: Type.Array(WarehouseRun, { description: 'Runs, newest first, excluding steps of other runs.' }),
    pipelines: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String({ description: 'Purpose of the pipeline.' }),
      }),
      { description: 'Pipelines that can be started.' },
    ),
    requested: Type.Array(
      Type.Object({
        pipeline: Type.String(),
        requested_at: timestamp('When the start was requested.'),
      }),
      { description: 'Requested starts that are waiting for a scheduler.' },
    ),
    limit: Type.Integer(),
  }),
)
export type WarehouseRunPage = Static<typeof WarehouseRunPage>

export const WarehouseRunDetails = named(
  'WarehouseRunDetails',
  Type.Object({
    run: WarehouseRun,
    steps: Type.Array(WarehouseRun, { description: 'Steps in order.' }),
    continued_by: nullableInteger('Later run that resumed this run.'),
    rejected: Type.Array(RejectedRecord, {
      description: 'At most 50 rejected records that were last received by this run.',
    }),
  }),
)
export type WarehouseRunDetails = Static<typeof WarehouseRunDetails>

export const StartRun = named(
  'StartRun',
  Type.Object(
    { pipeline: Type.String({ minLength: 1, maxLength: 100, examples: ['nightly'] }) },
    { additionalProperties: false },
  ),
)

export const RunRequested = named(
  'RunRequested',
  Type.Object({
    pipeline: Type.String(),
    message: Type.String({ description: 'Confirmation of the request, with the expected start.' }),
  }),
)
export type RunRequested = Static<typeof RunRequested>

const Night = named(
  'FreshnessOfNight',
  Type.Object({
    night: Type.String({ format: 'date' }),
    fresh: Type.Integer(),
    due_soon: Type.Integer(),
    stale: Type.Integer(),
    never: Type.Integer({ description: 'Never enriched.' }),
    pending: Type.Integer({ description: 'Enrichment in progress.' }),
    failing: Type.Integer({ description: 'Latest attempt failed.' }),
  }),
)

/** Summary of the warehouse's state. */
export const WarehouseOverview = named(
  'WarehouseOverview',
  Type.Object({
    pipelines: Type.Array(
      Type.Object({
        run: WarehouseRun,
        last_ok_at: nullableTimestamp('End of the latest run with outcome ok.'),
      }),
      { description: 'Latest run of each pipeline.' },
    ),
    nights: Type.Array(WarehouseRun, { description: 'At most 120 nightly runs of the last 90 days, newest first.' }),
    freshness: Type.Array(Night, {
      description: 'Number of members in each freshness state on each of the last 90 nights, oldest first.',
    }),
    forecast: Type.Array(Type.Object({ night: Type.String({ format: 'date' }), units: Type.Integer() }), {
      description:
        'Units required for the enrichment due on each of the next 14 nights. The forecast is at most a minute old.',
    }),
    target_share: Type.Number({ description: 'Target share of fresh members.' }),
    units_per_night: Type.Integer({
      description: 'Maximum number of units spent per night; 0 disables nightly enrichment.',
    }),
    open_quarantine: Type.Integer({ description: 'Unresolved rejected records, counted up to 1,000.' }),
    schedule: Type.Object({
      cron: Type.String(),
      time_zone: Type.String(),
      pipelines: Type.Array(Type.String()),
      next: Type.Array(timestamp('Scheduled time.'), { description: 'The next ten scheduled times.' }),
    }),
    now: timestamp("Current time of the warehouse's clock."),
    snapshot: Type.Unsafe<{ id: string; created_at: string } | null>({
      type: ['object', 'null'],
      properties: { id: { type: 'string' }, created_at: { type: 'string', format: 'date-time' } },
      required: ['id', 'created_at'],
      description: 'Latest complete snapshot.',
    }),
  }),
)
export type WarehouseOverview = Static<typeof WarehouseOverview>
