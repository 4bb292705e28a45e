import { messageOf } from '../../src/lib/errors.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Manifest } from './manifest.ts'
import { readTable } from './read-table.ts'

export interface TableVerdict {
  table: string
  /** Number of rows in the parts. */
  rows: number
  parts: number
  /** Differences from the manifest. Empty if there are none. */
  problems: string[]
}

/** Reads all parts and checks their sizes, checksums, columns and row counts against the manifest. */
export async function verifySnapshot(
  sink: Sink,
  manifest: Manifest,
  onTable?: (verdict: TableVerdict) => void,
): Promise<TableVerdict[]> {
  const verdicts: TableVerdict[] = []
  for (const table of manifest.tables) {
    const verdict: TableVerdict = { table: table.name, rows: 0, parts: table.parts.length, problems: [] }
    try {
      const count = (): void => {
        verdict.rows += 1
      }
      await readTable(sink, table, count, { nulls: false })
      if (verdict.rows !== table.rows) verdict.problems.push(`${verdict.rows} rows, not ${table.rows}`)
    } catch (error) {
      verdict.problems.push(messageOf(error))
    }
    verdicts.push(verdict)
    onTable?.(verdict)
  }
  return verdicts
}
