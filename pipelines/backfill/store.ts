import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import { sum } from '../../src/lib/sum.ts'
import type { Verifiable } from '../compare/difference.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

type Db = Kysely<WarehouseTables>

/**
 * Maps each state to its allowed next states. A running backfill can be started again, because its process may have
 * died.
 */
const TRANSITIONS = {
  planned: ['running', 'paused'],
  running: ['running', 'paused', 'completed', 'failed'],
  paused: ['paused', 'running'],
  failed: ['running', 'paused', 'failed'],
  completed: [],
} as const satisfies Record<string, readonly string[]>

export type BackfillState = keyof typeof TRANSITIONS

/** A backfill, its estimated cost and its actual cost so far. */
export interface Backfill {
  id: number
  dataset: Verifiable
  from_at: string | null
  state: BackfillState
  estimate_basis: string
  estimated_requests: number
  estimated_units: number
  estimated_seconds: number
  created_at: string
  started_at: string | null
  ended_at: string | null
  parts: number
  parts_done: number
  parts_failed: number
  /** Requests sent for the completed parts. */
  requests: number
  /** Seconds spent on the completed parts. */
  seconds: number
  /** Requests estimated for the completed parts. */
  expected_so_far: number
  /** Requests sent by attempts that were interrupted, failed, or are still running. */
  lost_requests: number
  lost_seconds: number
  inserted: number
  updated: number
  unchanged: number
}

export interface Part {
  number: number
  members: string[] | null
  floor: string | null
  below: string | null
  estimated_requests: number
}

export interface Plan {
  dataset: Verifiable
  fromAt: string | null
  basis: string
  seconds: number
  parts: Omit<Part, 'number'>[]
}

/** Stores the plan with its parts, which run in the given order. Returns the backfill's id. */
export async function saveBackfill(db: Db, { dataset, fromAt, basis, seconds, parts }: Plan): Promise<number> {
  const requests = sum(parts.map((part) => part.estimated_requests))
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into sync.backfill (dataset, from_at, estimate_basis, estimated_requests, estimated_seconds)
      values (${dataset}, ${fromAt}, ${basis}, ${requests}, ${seconds}) returning id
    `.execute(trx)
    const id = (rows[0] as { id: number }).id
    await sql`
      insert into sync.backfill_part (backfill_id, number, members, floor, below, estimated_requests)
      select ${id}, row_number() over (), part.members, part.floor, part.below, part.estimated_requests
      from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as part (members text[], floor text, below text, estimated_requests integer)
    `.execute(trx)
    return id
  })
}

/** Lists all backfills, newest first, or only the one with the given `id`. */
export async function listBackfills(db: Db, id: number | null = null): Promise<Backfill[]> {
  const { rows } = await sql<Backfill>`
    select backfill.*, done.*
    from sync.backfill
    cross join lateral (
      select count(*)::integer as parts,
        count(*) filter (where state = 'done')::integer as parts_done,
        count(*) filter (where state = 'failed')::integer as parts_failed,
        coalesce(sum(requests) filter (where state = 'done'), 0)::integer as requests,
        coalesce(sum(seconds) filter (where state = 'done'), 0)::double precision as seconds,
        coalesce(sum(part.estimated_requests) filter (where state = 'done'), 0)::integer as expected_so_far,
        (sum(lost_requests) + coalesce(sum(requests) filter (where state <> 'done'), 0))::integer as lost_requests,
        (sum(lost_seconds) + coalesce(sum(seconds) filter (where state <> 'done'), 0))::double precision as lost_seconds,
        coalesce(sum(inserted), 0)::integer as inserted,
        coalesce(sum(updated), 0)::integer as updated,
        coalesce(sum(unchanged), 0)::integer as unchanged
      from sync.backfill_part part where part.backfill_id = backfill.id
    ) done
    where ${id}::bigint is null or backfill.id = ${id}
    order by backfill.id desc
  `.execute(db)
  return rows
}

export async function readBackfill(db: Db, id: number): Promise<Backfill> {
  const [found] = await listBackfills(db, id)
  if (!found)
    throw new AppError(
      'not_found',
      `Backfill ${id} does not exist. Run \`talhouse backfill list\` to list all backfills.`,
    )
  return found
}

export async function nextPart(db: Db, id: number): Promise<Part | undefined> {
  const { rows } = await sql<Part>`
    select number, members, floor, below, estimated_requests from sync.backfill_part
    where backfill_id = ${id} and state = 'pending' order by number limit 1
  `.execute(db)
  return rows[0]
}

/** Changes the state if the transition is allowed. Otherwise returns false. */
export async function moveTo(db: Db, id: number, state: BackfillState): Promise<boolean> {
  const from = Object.entries(TRANSITIONS).flatMap(([before, to]) =>
    (to as readonly string[]).includes(state) ? before : [],
  )
  const { numAffectedRows } = await sql`
    update sync.backfill set state = ${state},
      started_at = case when ${state} = 'running' then coalesce(started_at, now()) else started_at end,
      ended_at = case when ${state} = 'completed' then now() end
    where id = ${id} and state = any (${from}::text[])
  `.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Starts a planned, failed or interrupted backfill. Returns false if the backfill is paused. */
export async function startUnlessPaused(db: Db, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sync.backfill set state = 'running', started_at = coalesce(started_at, now())
    where id = ${id} and state in ('planned', 'running', 'failed')
  `.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Starts an attempt at a part. Moves the previous attempt's cost to `lost_requests` and `lost_seconds`. */
export async function beginPart(db: Db, id: number, number: number): Promise<void> {
  await sql`
    update sync.backfill_part set requests = 0, seconds = 0,
      lost_requests = lost_requests + coalesce(requests, 0), lost_seconds = lost_seconds + coalesce(seconds, 0)
    where backfill_id = ${id} and number = ${number}
  `.execute(db)
}

/** Stores the requests and seconds of the attempt so far. */
export async function saveSpent(
  db: Db,
  { id, number }: { id: number; number: number },
  { requests, seconds }: Pick<PartDone, 'requests' | 'seconds'>,
): Promise<void> {
  await sql`
    update sync.backfill_part set requests = greatest(requests, ${requests}), seconds = greatest(seconds, ${seconds})
    where backfill_id = ${id} and number = ${number} and state = 'pending'
  `.execute(db)
}

export interface PartDone {
  requests: number
  seconds: number
  inserted: number
  updated: number
  unchanged: number
}

/** Marks a part done or failed. Must be called in the transaction that writes the part's data, if there is one. */
export async function finishPart(
  db: Db,
  { id, number, runId }: { id: number; number: number; runId: number },
  outcome: PartDone | { error: string },
): Promise<void> {
  const done = 'error' in outcome ? undefined : outcome
  await sql`
    update sync.backfill_part set state = ${done ? 'done' : 'failed'}, error_message = ${'error' in outcome ? outcome.error : null},
      requests = coalesce(${done?.requests ?? null}, requests), seconds = coalesce(${done?.seconds ?? null}, seconds), inserted = ${done?.inserted ?? null},
      updated = ${done?.updated ?? null}, unchanged = ${done?.unchanged ?? null}, run_id = ${runId}, ended_at = now()
    where backfill_id = ${id} and number = ${number}
  `.execute(db)
}

/** Marks failed parts as pending and returns the count. */
export async function resetFailed(db: Db, id: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update sync.backfill_part set state = 'pending', error_message = null where backfill_id = ${id} and state = 'failed'
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
