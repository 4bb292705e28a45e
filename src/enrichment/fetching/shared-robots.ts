import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Log } from '../../lib/logger.ts'
import type { RobotsStore } from './robots-cache.ts'

/**
 * Creates a store of robots.txt files that processes share through the database. While the database is unavailable,
 * each process fetches the files itself.
 */
export function createSharedRobots(db: Db, log: Log): RobotsStore {
  const warnUnavailable = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'shared robots.txt store unavailable; fetching robots.txt in this process')
  return {
    async read(origin) {
      const row = await db
        .selectFrom('robots_file')
        .select(['rules as text', sql<number>`(extract(epoch from expires_at - now()) * 1000)::float8`.as('left')])
        .where('origin', '=', origin)
        .where('expires_at', '>', sql<string>`now()`)
        .executeTakeFirst()
        .catch(warnUnavailable)
      return row ?? undefined
    },
    async write(origin, text, lifetime) {
      const expires_at = sql<string>`now() + make_interval(secs => ${lifetime / 1000}::float8)`
      await db
        .insertInto('robots_file')
        .values({ origin, rules: text, expires_at })
        .onConflict((taken) => taken.column('origin').doUpdateSet({ rules: text, expires_at }))
        .execute()
        .catch(warnUnavailable)
    },
  }
}

/** Deletes expired files and returns the count. */
export async function pruneRobots(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('robots_file')
    .where('expires_at', '<', sql<string>`now()`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
