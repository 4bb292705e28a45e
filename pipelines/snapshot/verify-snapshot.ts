import { messageOf } from '../../src/lib/errors.ts'
import { sum } from '../../src/lib/sum.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Manifest, SnapshotTable } from './manifest.ts'
import { partsOf } from './manifest.ts'
import { checkPart, readTable } from './read-table.ts'

export interface TableVerdict {
  table: string
  /** Number of rows in the parts. */
  rows: number
  parts: number
  /** Differences from the manifest. Empty if there are none. */
  problems: string[]
}

/**
 * Reads all parts and compares their sizes and checksums with the manifest, as well as the columns and row counts of
 * CSV parts. The checksum of a Parquet part covers its columns and rows; the manifest contains the row count.
 */
export async function verifySnapshot(
  sink: Sink,
  manifest: Manifest,
  onTable?: (verdict: TableVerdict) => void,
): Promise<TableVerdict[]> {
  const verdicts: TableVerdict[] = []
  for (const table of manifest.tables) {
    const verdict: TableVerdict = { table: table.name, rows: 0, parts: partsOf(table).length, problems: [] }
    try {
      const count = (): void => {
        verdict.rows += 1
      }
      await readTable(sink, table, count, { nulls: false })
      if (verdict.rows !== table.rows) verdict.problems.push(`${verdict.rows} rows, not ${table.rows}`)
    } catch (error) {
      verdict.problems.push(messageOf(error))
    }
    verdict.problems.push(...(await findParquetProblems(sink, table)))
    verdicts.push(verdict)
    onTable?.(verdict)
  }
  return verdicts
}

async function findParquetProblems(sink: Sink, { parquet, rows }: SnapshotTable): Promise<string[]> {
  if (!parquet) return []
  const problems: string[] = []
  for (const part of parquet.parts)
    await checkPart(sink, part).catch((error: unknown) => problems.push(messageOf(error)))
  const inParts = sum(parquet.parts.map((part) => part.rows))
  if (inParts !== rows) problems.push(`${inParts} rows in Parquet, not ${rows}`)
  return problems
}
