import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import type { RawRecordTable } from '../warehouse/sync-tables.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** A member's records as received, before the host profile translates them. */
export interface RawMember {
  domain: string
  /** Undefined if the service has no such record. */
  company: Raw | undefined
  persons: readonly unknown[]
  /** The reason `persons` may be incomplete. */
  personsIncomplete: string | undefined
}

type RawRow = Pick<RawRecordTable, 'domain' | 'entity' | 'position' | 'persons_incomplete'> & { record: unknown }

/** The company's lists, whose items are stored in separate rows, so that a person can be erased without the company. */
const LISTS = { leader: 'leadership', signal: 'signals' } as const

/** The items in one of the lists in the company's record. Empty if the record has no such list. */
export function listIn(company: Raw | undefined, name: (typeof LISTS)[keyof typeof LISTS]): unknown[] {
  const list = company?.[name]
  return Array.isArray(list) ? list : []
}

/**
 * Stores members' records as received, in the transaction that writes their rows. If a member's `raw` is undefined,
 * deletes its stored records, because they would not match the rows.
 */
export async function saveRawMembers(
  trx: Kysely<WarehouseTables>,
  members: readonly { domain: string; raw: RawMember | undefined }[],
  runId: number,
): Promise<void> {
  const rows = members.flatMap(({ raw }) => (raw ? rowsOf(raw) : []))
  await sql`
    with given as materialized (
      select domain, entity, position, record, persons_incomplete
      from jsonb_to_recordset(${storableJson(rows)}::jsonb) as row (domain text, entity text, position integer, record jsonb, persons_incomplete text)
    ),
    removed as (
      delete from sync.raw_record
      where domain = any (${members.map(({ domain }) => domain)}::text[])
        and (domain, entity, position) not in (select domain, entity, position from given)
    )
    insert into sync.raw_record as raw (domain, entity, position, record, persons_incomplete, run_id)
    select domain, entity, position, coalesce(record, 'null'), persons_incomplete, ${runId}::bigint from given
    on conflict (domain, entity, position) do update set
      record = excluded.record, persons_incomplete = excluded.persons_incomplete, received_at = now(), run_id = excluded.run_id
    where (raw.record, raw.persons_incomplete) is distinct from (excluded.record, excluded.persons_incomplete)
  `.execute(trx)
}

/** Reads a member's stored records. Returns undefined if the company's record is not stored. */
export async function readRawMember(db: Kysely<WarehouseTables>, domain: string): Promise<RawMember | undefined> {
  const rows = await db
    .selectFrom('sync.raw_record')
    .select(['entity', 'position', 'record', 'persons_incomplete'])
    .where('domain', '=', domain)
    .orderBy('position')
    .execute()
  const recordsOf = (wanted: RawRow['entity']): unknown[] =>
    rows.filter(({ entity }) => entity === wanted).map(({ record }) => record)
  const stored = rows.find(({ entity }) => entity === 'company')
  if (!stored) return undefined
  const company = stored.record as Raw | null
  for (const [entity, name] of Object.entries(LISTS) as [keyof typeof LISTS, string][])
    if (Array.isArray(company?.[name])) company[name] = recordsOf(entity)
  return {
    domain,
    company: company ?? undefined,
    persons: recordsOf('person'),
    personsIncomplete: stored.persons_incomplete ?? undefined,
  }
}

function rowsOf({ domain, company, persons, personsIncomplete }: RawMember): RawRow[] {
  const rest: Raw | null = company ? { ...company } : null
  for (const name of Object.values(LISTS)) if (Array.isArray(rest?.[name])) rest[name] = []
  const rows = (entity: RawRow['entity'], records: readonly unknown[]): RawRow[] =>
    records.map((record, position) => ({ domain, entity, position, record, persons_incomplete: null }))
  return [
    { domain, entity: 'company', position: 0, record: rest, persons_incomplete: personsIncomplete ?? null },
    ...rows('person', persons),
    ...rows('leader', listIn(company, LISTS.leader)),
    ...rows('signal', listIn(company, LISTS.signal)),
  ]
}
