import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from, to } from 'pg-copy-streams'
import type { PostgresClient } from './postgres.ts'

export interface CopyOut {
  /** The rows in PostgreSQL's CSV format. Null is written as an empty field, and an empty string as `""`. */
  stream: Readable
  /** Returns the number of rows, which is available after the end of the stream. */
  rows(): number
}

/** Streams a query result as CSV. The connection is busy until the stream ends. */
export function copyOut(client: PostgresClient, query: string, { header = true } = {}): CopyOut {
  const stream = client.query(to(`copy (${query}) to stdout with (format csv, header ${header})`))
  return { stream, rows: () => stream.rowCount ?? 0 }
}

/** Streams a query result in COPY's text format, which is faster to parse than CSV. */
export function copyOutText(client: PostgresClient, query: string): Readable {
  return client.query(to(`copy (${query}) to stdout`))
}

/** Loads CSV into a table and returns the number of rows. `columns` lists the CSV columns in order. */
export async function copyIn(
  client: PostgresClient,
  table: string,
  columns: readonly string[],
  csv: Readable,
): Promise<number> {
  const stream = client.query(
    from(
      `copy ${table} (${columns.map((name) => client.escapeIdentifier(name)).join(', ')}) from stdin with (format csv)`,
    ),
  )
  await pipeline(csv, stream)
  return stream.rowCount ?? 0
}
