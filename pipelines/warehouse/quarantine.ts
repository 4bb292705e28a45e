import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { RejectedRecord } from './rejected-record.ts'
import type { WarehouseTables } from './tables.ts'

/**
 * Resolves earlier rejections of records with these keys, unless this run rejected the records again. A person's or
 * signal's key starts with its company's domain.
 */
export async function resolveRejected(
  db: Kysely<WarehouseTables>,
  entities: readonly string[],
  keys: readonly string[],
  runId: number,
): Promise<void> {
  await sql`
    update warehouse.quarantine set resolved_at = now()
    where resolved_at is null and run_id <> ${runId} and entity = any(${[...entities]}::text[])
      and split_part(key, ' / ', 1) = any(${[...keys]}::text[])
  `.execute(db)
}

/** Stores rejected records with their reasons. An identical record is stored only once. */
export async function quarantine(
  db: Kysely<WarehouseTables>,
  rejected: readonly { entity: string; reject: RejectedRecord }[],
  runId: number,
): Promise<void> {
  if (rejected.length === 0) return
  const rows = rejected.map(({ entity, reject: { key, reason, fingerprint, record } }) => ({
    entity,
    key,
    reason,
    fingerprint,
    record,
  }))
  await sql`
    insert into warehouse.quarantine (entity, fingerprint, key, reason, record, run_id)
    select distinct on (entity, fingerprint) entity, fingerprint, key, reason, coalesce(record, 'null'), ${runId}::bigint
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as reject (entity text, fingerprint uuid, key text, reason text, record jsonb)
    order by entity, fingerprint
    on conflict (entity, fingerprint) do update set last_seen_at = now(), run_id = excluded.run_id, resolved_at = null, reason = excluded.reason
  `.execute(db)
}

/** Resolves rejected records that were not returned by a complete pull that started at `since`. */
export async function resolveUnseen(db: Kysely<WarehouseTables>, entity: string, since: string): Promise<void> {
  await db
    .updateTable('warehouse.quarantine')
    .set({ resolved_at: sql`now()` })
    .where('entity', '=', entity)
    .where('resolved_at', 'is', null)
    .where('last_seen_at', '<', since)
    .execute()
}

/** Number of unresolved rejected records from this run and earlier runs. */
export async function countUnresolved(db: Kysely<WarehouseTables>, entities: readonly string[]): Promise<number> {
  const { rejected } = await db
    .selectFrom('warehouse.quarantine')
    .select(sql<number>`count(*)::integer`.as('rejected'))
    .where('entity', 'in', [...entities])
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
  return rejected
}
