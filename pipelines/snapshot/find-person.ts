import type { Row, Verdict } from '../../src/personal-data/judge-row.ts'
import { judgeRow } from '../../src/personal-data/judge-row.ts'
import type { Matcher } from '../../src/personal-data/matcher.ts'
import { isEmptySubject } from '../../src/personal-data/subject.ts'
import { VIEW_PLACES, WAREHOUSE_PLACES } from '../../src/personal-data/warehouse-places.ts'
import type { Sink } from '../sinks/sink.ts'
import { readManifests } from './list-snapshots.ts'
import type { Manifest, SnapshotTable } from './manifest.ts'
import { readRows, toRow } from './rows.ts'

/** Finds the snapshots that contain the person, newest first. Reads every table that can name a person. */
export async function findSnapshots(sink: Sink, matcher: Matcher): Promise<string[]> {
  if (isEmptySubject(matcher.subject)) return []
  const ids: string[] = []
  for (const manifest of (await readManifests(sink)).manifests)
    if ((await findTables(sink, manifest, matcher)).length > 0) ids.push(manifest.id)
  return ids
}

/** Finds the tables in a snapshot that name the person. */
export async function findTables(sink: Sink, { tables }: Manifest, matcher: Matcher): Promise<SnapshotTable[]> {
  const naming: SnapshotTable[] = []
  for (const table of tables) if (await isNaming(sink, table, matcher)) naming.push(table)
  return naming
}

async function isNaming(sink: Sink, table: SnapshotTable, matcher: Matcher): Promise<boolean> {
  if (placesOf(table.name).length === 0) return false
  for await (const cells of readRows(sink, table))
    if (judgeSnapshotRow(table.name, toRow(table, cells), matcher) !== 'keep') return true
  return false
}

/**
 * Decides whether to keep, change or delete a snapshot row, based on all columns of its table that can identify a
 * person.
 */
export function judgeSnapshotRow(table: string, row: Row, matcher: Matcher): Verdict {
  let changes: Row | undefined
  for (const place of placesOf(table)) {
    const company = place.company === undefined ? null : (row[place.company] as string | null)
    const verdict = judgeRow(place, { ...row, ...changes }, company, matcher)
    if (verdict === 'delete') return verdict
    if (verdict !== 'keep') changes = { ...changes, ...verdict }
  }
  return changes ?? 'keep'
}

const PLACES = [...WAREHOUSE_PLACES, ...VIEW_PLACES]
const placesOf = (table: string) => PLACES.filter((place) => place.table === `warehouse.${table}`)
