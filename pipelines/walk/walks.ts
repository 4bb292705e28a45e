import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import type { WalkTable } from '../warehouse/sync-tables.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { WalkRange } from './walk-range.ts'
import { openRange } from './walk-range.ts'

type Db = Kysely<WarehouseTables>

export type Walk = Selectable<WalkTable>

/** Age at which a walk or a list pull is stale and is not resumed. */
export const STALE_AFTER = sql`interval '12 hours'`

/**
 * Takes over the stream's open walk with its remaining ranges, or starts a new walk. Increments the revision of every
 * range, so that a process that was declared dead can no longer commit.
 */
export async function resumeWalk(db: Db, stream: string, runId: number): Promise<{ walk: Walk; ranges: WalkRange[] }> {
  return await db.transaction().execute(async (trx) => {
    await closeStaleWalks(trx, stream)
    const open = await trx
      .selectFrom('sync.walk')
      .selectAll()
      .where('stream', '=', stream)
      .where('closed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!open) return await beginWalk(trx, stream, runId)
    await recoverCounts(trx, open)
    const walk = await trx
      .updateTable('sync.walk')
      .set({ run_id: runId })
      .where('id', '=', open.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const ranges = await trx
      .updateTable('sync.range_state')
      .set({ revision: sql`revision + 1`, pages: 0, inserted: 0, updated: 0, unchanged: 0, quarantined: 0 })
      .where('walk_id', '=', open.id)
      .returning(['walk_id as walkId', 'number', 'floor', 'below', 'revision', 'closed'])
      .execute()
    return { walk, ranges: ranges.filter(({ closed }) => !closed).map((range) => openRange(range)) }
  })
}

async function beginWalk(trx: Db, stream: string, runId: number): Promise<{ walk: Walk; ranges: WalkRange[] }> {
  const walk = await trx
    .insertInto('sync.walk')
    .values({ stream, run_id: runId })
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx.insertInto('sync.range_state').values({ walk_id: walk.id, number: 0 }).execute()
  return { walk, ranges: [openRange({ walkId: walk.id, number: 0, floor: null, below: null, revision: 0 })] }
}

/** Restores the counts of an abandoned run from its ranges, because the run could not write its counts. */
async function recoverCounts(trx: Db, walk: Walk): Promise<void> {
  await sql`
    update sync.run
    set inserted = sums.inserted, updated = sums.updated, unchanged = sums.unchanged, quarantined = sums.quarantined
    from (
      select sum(inserted) as inserted, sum(updated) as updated, sum(unchanged) as unchanged, sum(quarantined) as quarantined
      from sync.range_state where walk_id = ${walk.id}
    ) sums
    where run.id = ${walk.run_id} and run.state = 'abandoned'
  `.execute(trx)
}

async function closeStaleWalks(trx: Db, stream: string): Promise<void> {
  const stale = await trx
    .updateTable('sync.walk')
    .set({ closed_at: sql`now()`, data_version: null })
    .where('stream', '=', stream)
    .where('closed_at', 'is', null)
    .where('started_at', '<', sql<string>`now() - ${STALE_AFTER}`)
    .returning('id')
    .execute()
  for (const { id } of stale) await dropRanges(trx, id)
}

/** What the first page says about the whole stream: its highest key, the total, and the data's version. */
export type WalkStart = Pick<Walk, 'ceiling' | 'total_at_start' | 'data_version'>

/** Stores the walk's upper bound, its expected total, and the version that all pages should have. */
export async function freezeStart(db: Db, walkId: number, start: WalkStart): Promise<void> {
  await db.updateTable('sync.walk').set(start).where('id', '=', walkId).execute()
}

/** Removes the version from a walk whose pages differ in their versions. */
export async function dropVersion(db: Db, walkId: number): Promise<void> {
  await db.updateTable('sync.walk').set({ data_version: null }).where('id', '=', walkId).execute()
}

/** The version that all pages of the stream's latest closed walk had, if that walk was complete. */
export async function latestVersion(db: Db, stream: string): Promise<string | null> {
  const latest = await db
    .selectFrom('sync.walk')
    .select('data_version')
    .where('stream', '=', stream)
    .where('closed_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.data_version ?? null
}

/** Splits off the part of the range below `key`. Throws `conflict` if another run has taken over the walk. */
export async function splitRange(db: Db, range: WalkRange, key: string): Promise<WalkRange> {
  const { rows } = await sql<{ number: number }>`
    -- Locks the walk's row first, as a takeover does, so that splits are serialized and get consecutive numbers.
    with next as (
      update sync.walk set ranges = ranges + 1 where id = ${range.walkId} returning ranges - 1 as number
    ),
    victim as (
      update sync.range_state set floor = ${key}, revision = revision + 1
      from next
      where walk_id = ${range.walkId} and range_state.number = ${range.number} and revision = ${range.revision}
      returning walk_id, next.number as next_number
    )
    insert into sync.range_state (walk_id, number, floor, below)
    select walk_id, next_number, ${range.floor}, ${key} from victim
    returning number
  `.execute(db)
  const [stolen] = rows
  if (!stolen) throw walkTakenOver(range.walkId)
  return applySplit(range, key, stolen.number)
}

function applySplit(range: WalkRange, key: string, number: number): WalkRange {
  const stolen = openRange({ walkId: range.walkId, number, floor: range.floor, below: key, revision: 0 })
  range.floor = key
  range.revision += 1
  return stolen
}

/** Finds the range that a split created, if the split was committed even though its response was lost. */
export async function findSplit(db: Db, range: WalkRange, key: string): Promise<WalkRange | undefined> {
  const stored = db.selectFrom('sync.range_state').where('walk_id', '=', range.walkId)
  const victim = await stored.select(['revision', 'floor']).where('number', '=', range.number).executeTakeFirst()
  if (victim?.revision !== range.revision + 1 || victim.floor !== key) return undefined
  const stolen = await stored.select('number').where('below', '=', key).executeTakeFirstOrThrow()
  return applySplit(range, key, stolen.number)
}

/**
 * Replaces all ranges with one range that covers all keys, for a host that does not sort keys in byte order. Keeps the
 * keys that were already received.
 */
export async function restartWalk(db: Db, walkId: number): Promise<WalkRange> {
  return await db.transaction().execute(async (trx) => {
    const { number } = await trx
      .updateTable('sync.walk')
      .set({ key_order: 'foreign', ranges: sql`ranges + 1` })
      .where('id', '=', walkId)
      .returning(sql<number>`ranges - 1`.as('number'))
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('sync.range_state')
      .set({ closed: true, revision: sql`revision + 1` })
      .where('walk_id', '=', walkId)
      .execute()
    await trx.insertInto('sync.range_state').values({ walk_id: walkId, number }).execute()
    return openRange({ walkId, number, floor: null, below: null, revision: 0 })
  })
}

/** Increases the number of records without a usable key, and stores the date of the newest data. */
export async function recordKeyless(db: Db, walkId: number, records: number, dataAsOf: string | null): Promise<void> {
  await db
    .updateTable('sync.walk')
    .set({ keyless: sql`keyless + ${records}`, data_as_of: sql`greatest(data_as_of, ${dataAsOf}::date)` })
    .where('id', '=', walkId)
    .execute()
}

export const readWalk = (db: Db, walkId: number): Promise<Walk> =>
  db.selectFrom('sync.walk').selectAll().where('id', '=', walkId).executeTakeFirstOrThrow()

/** Whether the commit that advances a range to `below` has taken effect even though its response was lost. */
export async function hasMoved(
  db: Db,
  walkId: number,
  { number, revision, below, closed }: Pick<WalkRange, 'number' | 'revision' | 'below' | 'closed'>,
): Promise<boolean> {
  const stored = await db
    .selectFrom('sync.range_state')
    .select(['revision', 'below', 'closed'])
    .where('walk_id', '=', walkId)
    .where('number', '=', number)
    .executeTakeFirst()
  return stored?.revision === revision + 1 && stored.below === below && stored.closed === closed
}

export async function markIncomplete(db: Db, walkId: number, reason: string): Promise<void> {
  await db
    .updateTable('sync.walk')
    .set({ incomplete_reasons: sql`array_append(incomplete_reasons, ${reason}::text)` })
    .where('id', '=', walkId)
    .execute()
}

/** Ends the walk and deletes its ranges and pages. */
export async function closeWalk(db: Db, walkId: number): Promise<void> {
  await db.updateTable('sync.walk').set({ closed_at: sql`now()` }).where('id', '=', walkId).execute()
  await dropRanges(db, walkId)
}

async function dropRanges(db: Db, walkId: number): Promise<void> {
  await db.deleteFrom('sync.range_state').where('walk_id', '=', walkId).execute()
  await db.deleteFrom('sync.walk_page').where('walk_id', '=', walkId).execute()
}

export const walkTakenOver = (walkId: number): AppError =>
  new AppError('conflict', `Walk ${walkId} was taken over by another run, so this run stops. No row was written twice.`)
