import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import type { WalkTable, WarehouseTables } from '../warehouse/tables.ts'
import type { WalkRange } from './walk-range.ts'
import { openRange } from './walk-range.ts'

type Db = Kysely<WarehouseTables>

export type Walk = Selectable<WalkTable>

/** A walk that nobody went on with for so long tells of a world that is no more: the next run begins a new one. */
const OLDEST_WALK = sql`interval '12 hours'`

/**
 * The stream's open walk with what is left of it, now this run's; a new one when there is none. Every range's revision moves, so that
 * a process that was taken for dead and wakes up can commit nothing more.
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
    await settleCounts(trx, open)
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

/** A run that died could not write its counts: its ranges hold them. */
async function settleCounts(trx: Db, walk: Walk): Promise<void> {
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
    .set({ closed_at: sql`now()` })
    .where('stream', '=', stream)
    .where('closed_at', 'is', null)
    .where('started_at', '<', sql<string>`now() - ${OLDEST_WALK}`)
    .returning('id')
    .execute()
  for (const { id } of stale) await dropRanges(trx, id)
}

/** What the first page says: where the walk begins, and how much there is. */
export async function freezeCeiling(
  db: Db,
  walkId: number,
  ceiling: string | null,
  total: number | null,
): Promise<void> {
  await db.updateTable('sync.walk').set({ ceiling, total_at_start: total }).where('id', '=', walkId).execute()
}

/** Takes the part of the range below `key` away from it, as a range of its own. Throws `conflict` when the walk is no longer ours. */
export async function splitRange(db: Db, range: WalkRange, key: string): Promise<WalkRange> {
  const { rows } = await sql<{ number: number }>`
    -- The walk's row first, as whoever takes the walk up does: it makes splits take turns, and numbers what each gets.
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
  if (!stolen) throw lostWalk(range.walkId)
  return applySplit(range, key, stolen.number)
}

function applySplit(range: WalkRange, key: string, number: number): WalkRange {
  const stolen = openRange({ walkId: range.walkId, number, floor: range.floor, below: key, revision: 0 })
  range.floor = key
  range.revision += 1
  return stolen
}

/** The part that a split took away, when the split arrived and only its answer was lost. */
export async function findSplit(db: Db, range: WalkRange, key: string): Promise<WalkRange | undefined> {
  const stored = db.selectFrom('sync.range_state').where('walk_id', '=', range.walkId)
  const victim = await stored.select(['revision', 'floor']).where('number', '=', range.number).executeTakeFirst()
  if (victim?.revision !== range.revision + 1 || victim.floor !== key) return undefined
  const stolen = await stored.select('number').where('below', '=', key).executeTakeFirstOrThrow()
  return applySplit(range, key, stolen.number)
}

/** One range from the top again, for a host that orders its keys otherwise. The pages seen so far stay seen. */
export async function startOver(db: Db, walkId: number): Promise<WalkRange> {
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

/** Remembers which fields the service knows. */
export async function noteFieldSet(db: Db, walkId: number, name: string): Promise<void> {
  await db.updateTable('sync.walk').set({ field_set: name }).where('id', '=', walkId).execute()
}

/** Remembers records without a key, and a newer day of the data. */
export async function noteKeyless(db: Db, walkId: number, records: number, dataAsOf: string | null): Promise<void> {
  await db
    .updateTable('sync.walk')
    .set({ keyless: sql`keyless + ${records}`, data_as_of: sql`greatest(data_as_of, ${dataAsOf}::date)` })
    .where('id', '=', walkId)
    .execute()
}

export const readWalk = (db: Db, walkId: number): Promise<Walk> =>
  db.selectFrom('sync.walk').selectAll().where('id', '=', walkId).executeTakeFirstOrThrow()

/** Did this commit, whose answer was lost, arrive? */
export async function hasMovedTo(db: Db, range: WalkRange, to: Pick<WalkRange, 'below' | 'closed'>): Promise<boolean> {
  const stored = await db
    .selectFrom('sync.range_state')
    .select(['revision', 'below', 'closed'])
    .where('walk_id', '=', range.walkId)
    .where('number', '=', range.number)
    .executeTakeFirst()
  return stored?.revision === range.revision + 1 && stored.below === to.below && stored.closed === to.closed
}

export async function noteIncomplete(db: Db, walkId: number, doubt: string): Promise<void> {
  await db
    .updateTable('sync.walk')
    .set({ incomplete_reasons: sql`array_append(incomplete_reasons, ${doubt}::text)` })
    .where('id', '=', walkId)
    .execute()
}

/** Ends the walk and forgets its ranges and pages; what it learned stays in its row. */
export async function closeWalk(db: Db, walkId: number): Promise<void> {
  await db.updateTable('sync.walk').set({ closed_at: sql`now()` }).where('id', '=', walkId).execute()
  await dropRanges(db, walkId)
}

async function dropRanges(db: Db, walkId: number): Promise<void> {
  await db.deleteFrom('sync.range_state').where('walk_id', '=', walkId).execute()
  await db.deleteFrom('sync.walk_page').where('walk_id', '=', walkId).execute()
}

export const lostWalk = (walkId: number): AppError =>
  new AppError(
    'conflict',
    `Walk ${walkId} was taken over by another run; this one stops, and has written nothing twice.`,
  )
