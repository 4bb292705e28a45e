import { sql } from 'kysely'
import { chunk } from '../../src/lib/chunk.ts'
import type { Difference } from '../compare/difference.ts'
import { Host } from '../host-profile/host.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { isRejected } from '../warehouse/rejected-record.ts'
import { findFirmIds } from './firm-identity.ts'
import type { FirmRow } from './firm-record.ts'
import { readFirm } from './firm-record.ts'
import { knownFirmFields, queryFirms } from './query-firms.ts'
import { rewriteFirms } from './rewrite.ts'

/** Maximum firms per statement. */
const CHUNK = 500

/**
 * Fetches each firm that differs, one per request, and rewrites its row. Marks a firm as gone if the service returns no
 * firm or another firm for its SEC number.
 */
export async function repairFirms(context: RunContext, differences: readonly Difference[]): Promise<string[]> {
  const host = await Host.open(context)
  let done = 0
  for (const part of chunk(differences, CHUNK)) {
    await repairPart(context, host, part)
    done += part.length
    context.progress(done, differences.length)
  }
  return []
}

async function repairPart(context: RunContext, host: Host, differences: readonly Difference[]): Promise<void> {
  const select = [...knownFirmFields(host)]
  const found: unknown[] = []
  const asked: Asked[] = []
  for (const { key } of differences) {
    const page = await queryFirms({ ...context, host }, { select, filters: { sec_number: `eq.${key}` }, limit: 2 })
    found.push(...page.data)
    const firms = page.data.map(readFirm)
    await findFirmIds(
      context.warehouse.pool,
      firms.filter((firm): firm is FirmRow => !isRejected(firm)),
    )
    // If a record was rejected, its firm is unknown, so no firm with this SEC number is marked as gone.
    if (!firms.some(isRejected) && page.total_count === firms.length)
      asked.push({ key, firm_ids: firms.flatMap((firm) => (isRejected(firm) ? [] : firm.firm_id)) })
  }
  await rewriteFirms(context, found)
  await markGone(context, asked)
}

/** A requested SEC number, and the firms that the service returned for it. */
interface Asked {
  key: string
  firm_ids: string[]
}

async function markGone({ warehouse, runId, counts }: RunContext, asked: readonly Asked[]): Promise<void> {
  const { rows } = await sql<{ gone: number }>`
    with marked as (
      update warehouse.firm
      set gone_at = now(), last_changed_at = now(), run_id = ${runId}, valid_to = greatest(now(), valid_from + interval '1 microsecond')
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (key text, firm_ids text[])
      where gone_at is null and sec_number = asked.key and firm_id <> all (asked.firm_ids)
      returning 1
    )
    select count(*)::integer as gone from marked
  `.execute(warehouse.db)
  counts.gone += rows[0]?.gone ?? 0
}
