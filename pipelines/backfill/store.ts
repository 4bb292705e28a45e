import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import type { Verifiable } from '../verify/difference.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

type Db = Kysely<WarehouseTables>

export type BackfillState = 'planned' | 'running' | 'paused' | 'completed' | 'failed'

/** A backfill with its estimate, and what it has taken so far. */
export interface Backfill {
  id: number
  what: Verifiable
  from_at: string | null
  state: BackfillState
  why: string
  estimated_requests: number
  estimated_units: number
  estimated_seconds: number
  created_at: string
  started_at: string | null
  ended_at: string | null
  parts: number
  parts_done: number
  parts_failed: number
  /** Requests of the parts that are done, and what those parts were expected to take. */
  requests: number
  expected_so_far: number
  seconds: number
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
  what: Verifiable
  fromAt: string | null
  why: string
  seconds: number
  parts: Omit<Part, 'number'>[]
}

/** Saves the plan with its parts, the first to be done first. Returns its number. */
export async function saveBackfill(db: Db, { what, fromAt, why, seconds, parts }: Plan): Promise<number> {
  const requests = parts.reduce((sum, part) => sum + part.estimated_requests, 0)
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      insert into sync.backfill (what, from_at, why, estimated_requests, estimated_seconds)
      values (${what}, ${fromAt}, ${why}, ${requests}, ${seconds}) returning id
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

/** All backfills, the newest first; with `id` that one alone. */
export async function listBackfills(db: Db, id: number | null = null): Promise<Backfill[]> {
  const { rows } = await sql<Backfill>`
    select backfill.*, done.*
    from sync.backfill
    cross join lateral (
      select count(*)::integer as parts,
        count(*) filter (where state = 'done')::integer as parts_done,
        count(*) filter (where state = 'failed')::integer as parts_failed,
        coalesce(sum(requests) filter (where state = 'done'), 0)::integer as requests,
        coalesce(sum(part.estimated_requests) filter (where state = 'done'), 0)::integer as expected_so_far,
        coalesce(sum(seconds), 0)::double precision as seconds,
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
  if (!found) throw new AppError('not_found', `There is no backfill ${id}. \`talhouse backfill list\` shows all.`)
  return found
}

export async function nextPart(db: Db, id: number): Promise<Part | undefined> {
  const { rows } = await sql<Part>`
    select number, members, floor, below, estimated_requests from sync.backfill_part
    where backfill_id = ${id} and state = 'pending' order by number limit 1
  `.execute(db)
  return rows[0]
}

/** Moves the backfill on. Its end is noted once, when nothing is left of it. */
export async function setState(db: Db, id: number, state: BackfillState): Promise<void> {
  await sql`
    update sync.backfill set state = ${state},
      started_at = case when ${state} = 'running' then coalesce(started_at, now()) else started_at end,
      ended_at = case when ${state} = 'completed' then now() end
    where id = ${id}
  `.execute(db)
}

export interface PartDone {
  requests: number
  seconds: number
  inserted: number
  updated: number
  unchanged: number
}

/** In the transaction of the part's data, where it has one. */
export async function notePart(
  db: Db,
  { id, number, runId }: { id: number; number: number; runId: number },
  outcome: PartDone | { error: string },
): Promise<void> {
  const done = 'error' in outcome ? undefined : outcome
  await sql`
    update sync.backfill_part set state = ${done ? 'done' : 'failed'}, error_message = ${'error' in outcome ? outcome.error : null},
      requests = ${done?.requests ?? null}, seconds = ${done?.seconds ?? null}, inserted = ${done?.inserted ?? null},
      updated = ${done?.updated ?? null}, unchanged = ${done?.unchanged ?? null}, run_id = ${runId}, ended_at = now()
    where backfill_id = ${id} and number = ${number}
  `.execute(db)
}

/** Failed parts are to be done again. Returns how many there are. */
export async function resetFailed(db: Db, id: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update sync.backfill_part set state = 'pending', error_message = null where backfill_id = ${id} and state = 'failed'
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
