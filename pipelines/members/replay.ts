import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '../../src/lib/errors.ts'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { readRawMember } from './raw-member.ts'
import { readRecord } from './read-record.ts'
import { translateRecord } from './translate-record.ts'
import { rewriteRecord } from './write-record.ts'

/**
 * Re-translates all members' stored records with the current field names and rewrites the rows that differ. Sends no
 * requests. Throws `not_found` if there are no stored records.
 */
export const replayMembers: Pipeline = {
  name: 'replay-members',
  async run(context) {
    const { db } = context.warehouse
    const { stored, missing } = await listMembers(db)
    if (stored.length === 0)
      throw new AppError(
        'not_found',
        'No raw records are stored. Set pipelines.keep_raw to true; the next pull of each member stores its records.',
      )
    const host = await Host.open(context)
    let done = 0
    context.progress(0, stored.length)
    await forEachConcurrent(stored, context.settings.concurrency, context.signal, async (domain) => {
      const raw = await readRawMember(db, domain)
      if (raw) {
        const record = readRecord(await translateRecord(host, raw))
        // A pull or an erasure may have replaced the stored records in the meantime.
        const isCurrent = async (trx: Kysely<WarehouseTables>) =>
          isDeepStrictEqual(await readRawMember(trx, domain), raw)
        addCounts(context.counts, await rewriteRecord(db, record, isCurrent, context.runId))
      }
      done += 1
      context.progress(done, stored.length)
    })
    const reasons =
      missing === 0
        ? []
        : [
            `${pluralize(missing, 'member')} had no stored records, so their rows were kept; the next pull of each member stores its records`,
          ]
    return { reasons: [...reasons, ...host.driftReasons()] }
  },
}

/** Lists the live members with stored records, and counts the live members without any. */
async function listMembers(db: Kysely<WarehouseTables>): Promise<{ stored: string[]; missing: number }> {
  const { rows } = await sql<{ domain: string; is_stored: boolean }>`
    select domain, exists (
      select from sync.raw_record raw where raw.domain = member.domain and raw.entity = 'company'
    ) as is_stored
    from warehouse.tal_member member where gone_at is null order by domain`.execute(db)
  const stored = rows.filter(({ is_stored }) => is_stored).map(({ domain }) => domain)
  return { stored, missing: rows.length - stored.length }
}
