import type { PostgresClient } from '../../../src/lib/postgres.ts'
import type { SourceColumn } from './column.ts'
import { fitCondition } from './column.ts'

/**
 * Returns the names of the columns that contain a value that does not fit the Parquet type, such as `infinity` or a
 * number with more than 38 digits. These columns are exported as text, so that values are neither rounded nor lost.
 */
export async function findUnfitColumns(
  client: PostgresClient,
  table: string,
  columns: readonly SourceColumn[],
): Promise<string[]> {
  const conditions = columns.flatMap((column) => {
    const identifier = client.escapeIdentifier(column.name)
    const condition = fitCondition(column, identifier)
    return condition ? [`bool_and(${identifier} is null or (${condition}) is true) as ${identifier}`] : []
  })
  if (conditions.length === 0) return []
  const { rows } = await client.query<Record<string, boolean | null>>(`select ${conditions.join(', ')} from ${table}`)
  return Object.entries(rows[0] ?? {}).flatMap(([name, fits]) => (fits === false ? [name] : []))
}
