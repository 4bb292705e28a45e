import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import { STALE_AFTER } from '../walk/walks.ts'
import type { ListPullTable } from '../warehouse/sync-tables.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { Checkpoint } from './pull-list.ts'
import type { Written } from './write-rows.ts'

type Db = Kysely<WarehouseTables>

/** A pull of the list whose progress is stored in the warehouse. */
export interface ListPull {
  pipeline: string
  runId: number
  attempt: number
  startedAt: string
  /** Position at which the pull resumes. Undefined for a new pull. */
  from: Checkpoint | undefined
}

export interface PullRequest {
  pipeline: string
  runId: number
  /** The service's URL. Cursors are valid only at this URL. */
  url: string
  /** Pulls that started before this time are not resumed. @default any time within the staleness limit */
  notBefore?: string | undefined
}

/** Takes over the pipeline's open pull if it has a checkpoint and is not stale. Otherwise starts a new pull. */
export async function openPull(db: Db, request: PullRequest): Promise<ListPull> {
  return await db
    .transaction()
    .execute(async (trx) => (await resumePull(trx, request)) ?? (await beginPull(trx, request)))
}

async function resumePull(trx: Db, { pipeline, runId, url, notBefore }: PullRequest): Promise<ListPull | undefined> {
  const open = await trx
    .selectFrom('sync.list_pull')
    .selectAll()
    .where('pipeline', '=', pipeline)
    .where('url', '=', url)
    .where('closed_at', 'is', null)
    .where('checkpoint', 'is not', null)
    .where('started_at', '>=', sql<string>`greatest(now() - ${STALE_AFTER}, ${notBefore ?? null}::timestamptz)`)
    .forUpdate()
    .executeTakeFirst()
  if (!open) return undefined
  await recoverCounts(trx, open)
  await trx
    .updateTable('sync.list_pull')
    .set({ run_id: runId, inserted: 0, updated: 0, unchanged: 0, quarantined: 0 })
    .where('pipeline', '=', pipeline)
    .execute()
  const { attempt, started_at: startedAt, checkpoint } = open
  return { pipeline, runId, attempt, startedAt, from: checkpoint as Checkpoint }
}

async function beginPull(trx: Db, { pipeline, runId, url }: PullRequest): Promise<ListPull> {
  await trx.deleteFrom('sync.list_pull').where('pipeline', '=', pipeline).execute()
  await trx.deleteFrom('sync.list_entry').where('pipeline', '=', pipeline).execute()
  const { attempt, started_at: startedAt } = await trx
    .insertInto('sync.list_pull')
    .values({ pipeline, run_id: runId, url })
    .returning(['attempt', 'started_at'])
    .executeTakeFirstOrThrow()
  return { pipeline, runId, attempt, startedAt, from: undefined }
}

/** Restores the counts of an abandoned run, which could not write them. */
async function recoverCounts(trx: Db, pull: Pick<ListPullTable, 'run_id'> & PageCounts): Promise<void> {
  const { inserted, updated, unchanged, quarantined } = pull
  await trx
    .updateTable('sync.run')
    .set({ inserted, updated, unchanged, quarantined })
    .where('id', '=', pull.run_id)
    .where('state', '=', 'abandoned')
    .execute()
}

/** The rows written with a page of the list. */
export type PageCounts = Written & { quarantined: number }

/**
 * Locks the pull until the end of the transaction. Throws `conflict` if another run has taken it over, or if a crash of
 * PostgreSQL has emptied the tables of pulls.
 */
export async function lockPull(trx: Db, { pipeline, runId }: ListPull): Promise<void> {
  const { rows } = await sql`
    select from sync.list_pull where pipeline = ${pipeline} and run_id = ${runId} and closed_at is null for update`.execute(
    trx,
  )
  if (rows.length > 0) return
  throw new AppError(
    'conflict',
    `The pull of the list by run ${runId} was taken over by another run, or its progress was lost in a crash of PostgreSQL. The run stops. Rows already written are kept.`,
  )
}

/** Stores the position after a page, in the transaction that writes the page. */
export async function saveCheckpoint(
  trx: Db,
  { pipeline }: ListPull,
  checkpoint: Checkpoint | undefined,
  written: PageCounts,
): Promise<void> {
  await trx
    .updateTable('sync.list_pull')
    .set({
      checkpoint: checkpoint ? JSON.stringify(checkpoint) : null,
      inserted: sql`inserted + ${written.inserted}`,
      updated: sql`updated + ${written.updated}`,
      unchanged: sql`unchanged + ${written.unchanged}`,
      quarantined: sql`quarantined + ${written.quarantined}`,
    })
    .where('pipeline', '=', pipeline)
    .execute()
}

/** Number of domains that the pull's last attempt has received. */
export async function countEntries(db: Db, { pipeline, attempt }: ListPull): Promise<number> {
  const { entries } = await db
    .selectFrom('sync.list_entry')
    .select(sql<number>`count(*)::integer`.as('entries'))
    .where('pipeline', '=', pipeline)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow()
  return entries
}

/** Starts another attempt, in which the list is pulled from the first page. */
export async function restartPull(db: Db, pull: ListPull): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockPull(trx, pull)
    await trx
      .updateTable('sync.list_pull')
      .set({ attempt: pull.attempt + 1, checkpoint: null })
      .where('pipeline', '=', pull.pipeline)
      .execute()
  })
  pull.attempt += 1
}

/** Ends the pull and deletes its entries. */
export async function closePull(db: Db, pull: ListPull): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockPull(trx, pull)
    await trx
      .updateTable('sync.list_pull')
      .set({ closed_at: sql`now()`, checkpoint: null })
      .where('pipeline', '=', pull.pipeline)
      .execute()
    await trx.deleteFrom('sync.list_entry').where('pipeline', '=', pull.pipeline).execute()
  })
}
