import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Macs } from '../../src/personal-data/macs.ts'
import { createMacs } from '../../src/personal-data/macs.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/**
 * SQL condition that is true if the service reports erasures, which is a talhouse extension. Such a service also
 * accepts a person_id in paths.
 */
export const HAS_ERASURE_FEED = sql<boolean>`exists (select from sync.erasure_feed)`

/** The service's suppression list, up to the warehouse's position in the feed. */
export interface Suppression {
  macs: Macs
  /** Returns which of the given keyed hashes are suppressed. */
  find(macs: Iterable<string>): Promise<ReadonlySet<string>>
}

/**
 * Locks the suppression list for a transaction that stores people. Must be called at the start of the transaction,
 * because the lock serializes the transaction with erasures. Returns undefined if the list is empty.
 */
export async function lockSuppression(trx: Kysely<WarehouseTables>): Promise<Suppression | undefined> {
  await sql`lock table sync.suppressed_person in row share mode`.execute(trx)
  const { rows } = await sql<{ hmac_key: string }>`
    select hmac_key from sync.erasure_feed where exists (select from sync.suppressed_person)`.execute(trx)
  const [feed] = rows
  if (!feed) return undefined
  return {
    macs: createMacs(Buffer.from(feed.hmac_key, 'hex')),
    async find(macs) {
      const { rows: found } = await sql<{ mac: string }>`
        select mac from sync.suppressed_person where mac = any(${[...new Set(macs)]}::text[])`.execute(trx)
      return new Set(found.map(({ mac }) => mac))
    },
  }
}
