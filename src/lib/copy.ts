import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from, to } from 'pg-copy-streams'
import type { PostgresClient } from './postgres.ts'

export interface CopyOut {
  /** The rows in PostgreSQL's CSV: null is an empty field, an empty string is `""`. */
  stream: Readable
  /** Rows sent; known once the stream has ended. */
  rows(): number
}

/** Streams the result of a query as CSV, without holding it in memory. The connection is taken until the stream ends. */
export function copyOut(client: PostgresClient, query: string, { header = true } = {}): CopyOut {
  const stream = client.query(to(`copy (${query}) to stdout with (format csv, header ${header})`))
  return { stream, rows: () => stream.rowCount ?? 0 }
}

/** Loads CSV text into a table. `columns` name what the stream holds, in its order. Returns the rows taken in. */
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
