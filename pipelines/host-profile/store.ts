import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { RecordKind } from './field-names.ts'
import type { HostOverrides, HostProfile } from './profile.ts'
import { EMPTY_PROFILE } from './profile.ts'

type Db = Kysely<WarehouseTables>

/** A field or term unknown to talhouse. */
export interface UnknownField {
  entity: RecordKind
  field: string
  /** JSON type of the first value received. */
  type: string
}

export interface StoredHost {
  url: string
  detected: HostProfile
  overrides: HostOverrides
}

/**
 * Reads a host's detected profile and its unknown fields, as `entity.field`. Stores the overrides if they have changed.
 */
export async function readHost(
  db: Db,
  url: string,
  overrides: HostOverrides,
): Promise<{ detected: HostProfile; known: Set<string> }> {
  const { rows } = await sql<{ detected: HostProfile; same: boolean }>`
    select detected, overrides = ${storableJson(overrides)}::jsonb as same from sync.host_profile where url = ${url}
  `.execute(db)
  const [stored] = rows
  const detected: HostProfile = { ...structuredClone(EMPTY_PROFILE), ...stored?.detected }
  if (!stored?.same) await saveProfile(db, { url, detected, overrides }, stored ? 'all' : undefined)
  const drift = await db
    .selectFrom('warehouse.schema_drift')
    .select(['entity', 'field'])
    .where('url', '=', url)
    .execute()
  return { detected, known: new Set(drift.map(({ entity, field }) => `${entity}.${field}`)) }
}

/** Stores the profile. If `changed` is given, makes the next pull fetch rejected records of that kind again. */
export async function saveProfile(
  db: Db,
  { url, detected, overrides }: StoredHost,
  changed?: RecordKind | 'all',
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into sync.host_profile as host (url, detected, overrides)
      values (${url}, ${storableJson(detected)}::jsonb, ${storableJson(overrides)}::jsonb)
      on conflict (url) do update set detected = excluded.detected, overrides = excluded.overrides, changed_at = now()
    `.execute(trx)
    if (changed === 'event' || changed === 'all') await rereadHistory(trx)
    if (changed !== undefined && changed !== 'event' && changed !== 'firm') await rereadMembers(trx)
  })
}

/** If any event is quarantined, makes the next pull fetch the whole history of every record. */
async function rereadHistory(trx: Db): Promise<void> {
  await sql`
    delete from sync.watermark where pipeline = 'history'
      and exists (select from warehouse.quarantine where entity = 'history_event' and resolved_at is null)
  `.execute(trx)
}

/** If any member's record is quarantined, makes the next pull fetch the records of all members. */
async function rereadMembers(trx: Db): Promise<void> {
  await sql`
    update sync.member_state set fingerprint = null where fingerprint is not null
      and exists (select from warehouse.quarantine where entity in ('company', 'person', 'signal') and resolved_at is null)
  `.execute(trx)
}

/** Stores unknown fields. Returns the fields that were not stored before. */
export async function recordDrift(db: Db, url: string, fields: readonly UnknownField[]): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    insert into warehouse.schema_drift (url, entity, field, type)
    select ${url}::text, entity, field, type
    from jsonb_to_recordset(${storableJson(fields)}::jsonb) as unknown (entity text, field text, type text)
    order by entity, field
    on conflict do nothing
    returning field
  `.execute(db)
  return rows.map(({ field }) => field)
}
