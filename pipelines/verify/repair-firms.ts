import { sql } from 'kysely'
import type { RunContext } from '../pipeline.ts'
import type { Difference } from './difference.ts'
import { knownFirmFields } from './firm-ranges.ts'
import { rewriteFirms } from './rewrite-firms.ts'

/** Fetches each firm that was named, one request each: written as the service shows it, or marked as gone when it does not. */
export async function repairFirms(context: RunContext, differences: readonly Difference[]): Promise<string[]> {
  const select = [...(await knownFirmFields(context))]
  const found: unknown[] = []
  const gone: string[] = []
  for (const { key } of differences) {
    const page = await context.client.firms.query(
      { select, filters: { sec_number: `eq.${key}` }, limit: 2 },
      context.signal,
    )
    found.push(...page.data)
    if (page.data.length === 0 && page.total_count === 0) gone.push(key)
    context.progress(found.length + gone.length, differences.length)
  }
  await rewriteFirms(context, found)
  if (gone.length > 0) await markGone(context, gone)
  return []
}

async function markGone({ warehouse, runId, counts }: RunContext, keys: string[]): Promise<void> {
  const { rows } = await sql<{ gone: number }>`
    with marked as (
      update warehouse.firm
      set gone_at = now(), last_changed_at = now(), run_id = ${runId}, valid_to = greatest(now(), valid_from + interval '1 microsecond')
      where gone_at is null and sec_number = any (${keys}::text[])
      returning 1
    )
    select count(*)::integer as gone from marked
  `.execute(warehouse.db)
  counts.gone += rows[0]?.gone ?? 0
}
