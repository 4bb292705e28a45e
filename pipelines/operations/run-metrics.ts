import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Sample } from '../../src/lib/metrics.ts'
import { PIPELINES } from '../registry.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

const OUTCOMES = ['ok', 'degraded', 'failed', 'interrupted', 'abandoned'] as const
const ROW_RESULTS = ['inserted', 'updated', 'unchanged', 'gone', 'quarantined'] as const

const perPipeline = (name: string, help: string, ...labels: string[]) => ({
  name: `talhouse_run_${name}`,
  help,
  labelNames: ['pipeline', ...labels],
})

/** Gauges of each pipeline's latest runs. */
export const RUN_GAUGES = {
  succeeded: perPipeline('last_success_timestamp_seconds', 'End of the latest run with the outcome ok.'),
  started: perPipeline('last_start_timestamp_seconds', 'Start of the latest run, which may be in progress.'),
  heartbeat: perPipeline('heartbeat_age_seconds', 'Age of the heartbeat of the current run.'),
  outcome: perPipeline('last_outcome', '1 for the outcome of the latest run that ended, else 0.', 'outcome'),
  duration: perPipeline('last_duration_seconds', 'Duration of the latest run that ended.'),
  rows: perPipeline('last_rows', 'Rows of the latest run that ended, by result.', 'result'),
  units: perPipeline('last_units', 'Units spent by the latest run that ended, after refunds.'),
  requests: perPipeline('last_requests', 'Requests to the service by the latest run that ended.'),
}

/** Reads the samples of RUN_GAUGES. */
export async function readRunSamples(db: Kysely<WarehouseTables>): Promise<Record<keyof typeof RUN_GAUGES, Sample[]>> {
  const [latest, ended] = await Promise.all([readLatest(db), readEnded(db)])
  return {
    succeeded: samples(latest, ({ ok_at }) => ok_at),
    started: samples(latest, ({ started_at }) => started_at),
    heartbeat: samples(latest, ({ heartbeat_age }) => heartbeat_age),
    outcome: ended.flatMap(({ pipeline, result }) =>
      OUTCOMES.map((outcome) => ({ labels: { pipeline, outcome }, value: result === outcome ? 1 : 0 })),
    ),
    duration: samples(ended, ({ seconds }) => seconds),
    rows: ended.flatMap((run) =>
      ROW_RESULTS.map((result) => ({ labels: { pipeline: run.pipeline, result }, value: run[result] })),
    ),
    units: samples(ended, ({ units }) => units),
    requests: samples(ended, ({ requests }) => requests),
  }
}

/** Returns one sample per row that has a value. */
function samples<Row extends { pipeline: string }>(rows: readonly Row[], value: (row: Row) => number | null): Sample[] {
  return rows.flatMap((row) => {
    const number = value(row)
    return number === null ? [] : [{ labels: { pipeline: row.pipeline }, value: number }]
  })
}

const names = () => sql`unnest(${PIPELINES.map(({ name }) => name)}::text[]) as pipeline(name)`

interface Latest {
  pipeline: string
  /** Start of the run, in seconds since the epoch. */
  started_at: number
  /** Seconds since the latest heartbeat. Null unless the run is in progress. */
  heartbeat_age: number | null
  /** End of the latest run with the outcome ok, in seconds since the epoch. Null if there is none. */
  ok_at: number | null
}

/** Each pipeline's latest run. Reads only each pipeline's newest index entries, regardless of the number of runs. */
async function readLatest(db: Kysely<WarehouseTables>): Promise<Latest[]> {
  const { rows } = await sql<Latest>`
    select pipeline.name as pipeline, latest.started_at, latest.heartbeat_age, good.ok_at
    from ${names()}
    cross join lateral (
      select extract(epoch from started_at)::float8 as started_at,
        case state when 'running' then greatest(0, extract(epoch from now() - heartbeat_at))::float8 end as heartbeat_age
      from sync.run where run.pipeline = pipeline.name order by id desc limit 1
    ) latest
    left join lateral (
      select extract(epoch from ended_at)::float8 as ok_at
      from sync.run where run.pipeline = pipeline.name and outcome = 'ok' order by id desc limit 1
    ) good on true`.execute(db)
  return rows
}

type Ended = Record<(typeof ROW_RESULTS)[number] | 'units' | 'requests' | 'seconds', number> & {
  pipeline: string
  result: (typeof OUTCOMES)[number]
}

async function readEnded(db: Kysely<WarehouseTables>): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select pipeline.name as pipeline, ended.*
    from ${names()}
    cross join lateral (
      select coalesce(outcome, state) as result, extract(epoch from ended_at - started_at)::float8 as seconds,
        inserted, updated, unchanged, gone, quarantined, units, requests
      from sync.run where run.pipeline = pipeline.name and ended_at is not null order by id desc limit 1
    ) ended`.execute(db)
  return rows
}
