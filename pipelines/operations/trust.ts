import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type {
  QuarantinePage,
  QuarantineQuery,
  SnapshotList,
  SnapshotManifest,
  WarehouseComparison,
  WarehouseComparisons,
} from '../../src/contract/warehouse-trust.ts'
import type { Sink } from '../sinks/sink.ts'
import { listSnapshots } from '../snapshot/list-snapshots.ts'
import { readManifest } from '../snapshot/manifest.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { describeRejected } from './runs.ts'

const MAX_DIFFERENCES = 200

/** The latest comparison of each dataset with the service. */
export async function listComparisons(db: Kysely<WarehouseTables>): Promise<WarehouseComparisons> {
  const { rows } = await sql<WarehouseComparison>`
    select distinct on (dataset) dataset, verified_at, repaired_at, requests, jsonb_array_length(differences) as total,
      (select coalesce(jsonb_agg(difference order by number), '[]')
        from jsonb_array_elements(differences) with ordinality as one (difference, number)
        where number <= ${MAX_DIFFERENCES}) as differences
    from sync.verification order by dataset, id desc`.execute(db)
  return { comparisons: rows }
}

/** Rejected records, most recently received first. */
export async function listQuarantine(
  db: Kysely<WarehouseTables>,
  { resolved, limit, offset }: QuarantineQuery,
): Promise<QuarantinePage> {
  const records = await db
    .selectFrom('warehouse.quarantine')
    .selectAll()
    .where('resolved_at', resolved ? 'is not' : 'is', null)
    .orderBy('last_seen_at', 'desc')
    .orderBy('fingerprint')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  return { records: records.slice(0, limit).map(describeRejected), has_more: records.length > limit }
}

export const listAllSnapshots = async (openSink: () => Promise<Sink>): Promise<SnapshotList> =>
  await listSnapshots(await openSink())

/** The manifest of a snapshot. Throws `not_found`. */
export async function readSnapshot(openSink: () => Promise<Sink>, id: string): Promise<SnapshotManifest> {
  const { number, created_at, tables, watermarks } = await readManifest(await openSink(), id)
  return { id, number, created_at, tables, watermarks }
}
