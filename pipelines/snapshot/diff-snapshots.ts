import { createHash } from 'node:crypto'
import type { Sink } from '../sinks/sink.ts'
import type { Manifest, SnapshotTable } from './manifest.ts'
import type { SnapshotRow } from './read-table.ts'
import { readTable } from './read-table.ts'

export interface TableDifference {
  table: string
  added: number
  removed: number
  changed: number
  unchanged: number
  /** Keys of the first few rows with each kind of change. */
  examples: { added: string[]; removed: string[]; changed: string[] }
}

const EXAMPLES = 5

/** Compares two snapshots row by row, by primary key. Uses about 100 bytes of memory per row of the largest table. */
export async function diffSnapshots(sink: Sink, before: Manifest, after: Manifest): Promise<TableDifference[]> {
  const names = new Set([...before.tables, ...after.tables].map(({ name }) => name))
  const differences: TableDifference[] = []
  for (const name of names) {
    differences.push(await diffTable(sink, name, find(before, name), find(after, name)))
  }
  return differences
}

const find = (manifest: Manifest, name: string): SnapshotTable | undefined =>
  manifest.tables.find((table) => table.name === name)

async function diffTable(
  sink: Sink,
  name: string,
  before?: SnapshotTable,
  after?: SnapshotTable,
): Promise<TableDifference> {
  const difference: TableDifference = {
    table: name,
    added: 0,
    removed: 0,
    changed: 0,
    unchanged: 0,
    examples: { added: [], removed: [], changed: [] },
  }
  const count = (kind: 'added' | 'removed' | 'changed', key: string): void => {
    difference[kind] += 1
    if (difference.examples[kind].length < EXAMPLES) difference.examples[kind].push(key)
  }
  // The snapshots may have different columns. Only shared columns are compared.
  const shared =
    (after ?? before)?.columns
      .map((column) => column.name)
      .filter((column) => !before || before.columns.some((other) => other.name === column)) ?? []
  const earlier = new Map<string, string>()
  if (before)
    await readTable(
      sink,
      before,
      rowReader(before, shared, (key, digest) => earlier.set(key, digest)),
    )
  if (after) {
    await readTable(
      sink,
      after,
      rowReader(after, shared, (key, digest) => {
        const known = earlier.get(key)
        earlier.delete(key)
        if (known === undefined) count('added', key)
        else if (known === digest) difference.unchanged += 1
        else count('changed', key)
      }),
    )
  }
  for (const key of earlier.keys()) count('removed', key)
  return difference
}

/**
 * Returns a function that passes a row's key and a digest of its compared columns to `take`. If the table has no
 * primary key, all compared columns form the key.
 */
function rowReader(
  table: SnapshotTable,
  compared: string[],
  take: (key: string, digest: string) => void,
): (row: SnapshotRow) => void {
  const place = (column: string): number => table.columns.findIndex(({ name }) => name === column)
  const keys = table.primary_key.length > 0 ? table.primary_key.map(place) : compared.map(place)
  const values = compared.map(place)
  return (row) => {
    const digest = createHash('sha1')
      .update(JSON.stringify(values.map((at) => row[at])))
      .digest('base64')
    take(keys.map((at) => row[at]).join(' / '), digest)
  }
}
