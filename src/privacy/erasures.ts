import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { audited } from '../audit/audit-log.ts'
import type { ErasureFeed } from '../contract/privacy.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { Macs } from '../personal-data/macs.ts'
import type { Subject } from '../personal-data/subject.ts'
import { openMacs } from '../persons/suppression-list.ts'
import { findSubject } from './find-subject.ts'
import type { PersonDescription } from './person-description.ts'

/** An erasure and the state of its suppression. */
export interface Erasure {
  erasure_id: number
  erased_at: string
  lifted_at: string | null
  actor: string
  rows: Record<string, number>
}

/** Adds the person to the suppression list. Call this function last in the transaction. Returns the erasure's ID. */
export async function recordErasure(
  trx: Db,
  subject: Subject,
  { actor, rows }: { actor: Actor; rows: Record<string, number> },
): Promise<number> {
  const macs = [...macsOf(await openMacs(trx), subject)].sort()
  await lockFeed(trx)
  const { erasure_id } = await trx
    .insertInto('erasure')
    .values({ actor: actor.name, rows: JSON.stringify(rows) })
    .returning('erasure_id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('suppressed_person')
    .values(macs.map((mac) => ({ mac, erasure_id })))
    .execute()
  return erasure_id
}

function macsOf(macs: Macs, { emailHashes, personIds, profileKeys, names }: Subject): Set<string> {
  const of = (marks: object): string[] => macs.of({ company_domain: null, ...marks })
  return new Set([
    ...[...emailHashes].flatMap((email_hash) => of({ email_hash })),
    ...[...personIds].flatMap((person_id) => of({ person_id })),
    ...[...profileKeys].flatMap((social_url) => of({ social_url })),
    ...[...names].flatMap(([company_domain, spellings]) =>
      [...spellings].flatMap((full_name) => of({ company_domain, full_name })),
    ),
  ])
}

/**
 * Locks the feed until the commit, so that positions become visible in order and a reader that uses `since` never
 * misses an erasure.
 */
async function lockFeed(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('talhouse erasure feed'))`.execute(trx)
}

/** Reads the erasures after a position in the feed, oldest first. Erasures with a lifted suppression have no hashes. */
export async function readErasureFeed(
  db: Db,
  { since, limit }: { since: number; limit: number },
): Promise<ErasureFeed> {
  const { key } = await db.selectFrom('privacy_key').select('key').executeTakeFirstOrThrow()
  const { rows } = await sql<ErasureFeed['erasures'][number]>`
    select erasure_id, position, erased_at, lifted_at,
      array(select mac from suppressed_person where suppressed_person.erasure_id = erasure.erasure_id order by mac) as macs
    from erasure where position > ${since} order by position limit ${limit}`.execute(db)
  return { hmac_key: key.toString('hex'), erasures: rows, limit }
}

/** Lists erasures, newest first; with a description, only erasures of that person. */
export async function listErasures(
  db: Db,
  actor: Actor,
  { person, limit }: { person?: PersonDescription | undefined; limit: number },
): Promise<Erasure[]> {
  const change = { action: 'person.list_suppressed', target: 'suppression list' }
  return await audited(db, actor, change, async (trx) => {
    const macs = person && [...macsOf(await openMacs(trx), (await findSubject(trx, person)).subject)]
    return await trx
      .selectFrom('erasure')
      .select(['erasure_id', 'erased_at', 'lifted_at', 'actor', 'rows'])
      .$if(macs !== undefined, (query) =>
        query.where(
          sql<boolean>`exists (
            select from suppressed_person
            where suppressed_person.erasure_id = erasure.erasure_id and mac = any(${macs ?? []}::text[]))`,
        ),
      )
      .orderBy('erasure_id', 'desc')
      .limit(limit)
      .execute()
  })
}

/**
 * Lifts a suppression, so that sources may add the person again. Throws `not_found` for an unknown erasure, and
 * `conflict` if its suppression is already lifted.
 */
export async function liftSuppression(db: Db, erasureId: number, actor: Actor): Promise<Erasure> {
  return await audited(db, actor, { action: 'person.lift', target: `erasure:${erasureId}` }, async (trx) => {
    await lockFeed(trx)
    const known = await trx.selectFrom('erasure').selectAll().where('erasure_id', '=', erasureId).executeTakeFirst()
    if (!known) throw new AppError('not_found', `There is no erasure ${erasureId}. Run \`talhouse privacy list\`.`)
    if (known.lifted_at !== null)
      throw new AppError('conflict', `The suppression of erasure ${erasureId} is already lifted.`)
    await trx.deleteFrom('suppressed_person').where('erasure_id', '=', erasureId).execute()
    const { rows } = await sql<Erasure>`
      update erasure set lifted_at = clock_timestamp(), position = default
      where erasure_id = ${erasureId} returning erasure_id, erased_at, lifted_at, actor, rows`.execute(trx)
    return rows[0] as Erasure
  })
}
