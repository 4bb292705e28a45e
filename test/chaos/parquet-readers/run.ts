/**
 * npm run chaos -- parquet-readers [FIRMS] [READER ...]: reads a Parquet snapshot with DuckDB, pyarrow and PySpark, and
 * compares every cell of every table with the database. Cells include nulls, empty strings, numbers with 38 digits,
 * times, lists, JSON and Unicode. If PyPI is not available, only prints the reason.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { directorySink } from '../../../pipelines/sinks/directory.ts'
import { createSnapshot } from '../../../pipelines/snapshot/create-snapshot.ts'
import type { SnapshotTable } from '../../../pipelines/snapshot/manifest.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { migrate } from '../../../src/lib/migrations.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { ensureDatabase, openPostgres } from '../../../src/lib/postgres.ts'
import { clockAt } from '../../helpers/clock-at.ts'
import { generateFirms } from '../../helpers/generated-firms.ts'
import { pythonWith } from '../../helpers/installed-programs.ts'
import { addTypedRows, createTypedRows } from '../../helpers/typed-rows.ts'
import { openChaosDatabase } from '../chaos-database.ts'

const [, , firms = '5000', ...given] = process.argv
const readers = given.length > 0 ? given : ['duckdb', 'pyarrow', 'pyspark']
const programs = pythonWith('parquet-readers', join(import.meta.dirname, 'requirements.txt'))
if (programs) process.exitCode = await check(join(programs, 'python'))

async function check(python: string): Promise<number> {
  await using chaos = await openChaosDatabase({ connections: 2 })
  const url = chaos.server.url('parquet')
  await ensureDatabase(url)
  await using warehouse = openPostgres<unknown>(url, { log: silentLog, name: 'chaos' })
  await migrate(warehouse.db, join(import.meta.dirname, '../../../sql/warehouse'))
  await createTypedRows(warehouse)
  await addTypedRows(warehouse, 20_000)
  await sql`create table warehouse.unfit as select n as id, 'NaN'::numeric as amount, 'infinity'::timestamptz as at,
    array[['a', 'b'], ['c', 'd']] as states from generate_series(1, 3) n`.execute(warehouse.db)
  await generateFirms(warehouse, Number(firms))
  const folder = join(chaos.dataDir, 'snapshots')
  const expected = join(chaos.dataDir, 'expected')
  const { manifest } = await createSnapshot(warehouse, directorySink(folder), {
    formats: ['csv', 'parquet'],
    partBytes: 2_000_000,
    clock: clockAt('2026-05-01T02:00:00Z'),
  })
  await mkdir(expected)
  for (const table of manifest.tables)
    await writeFile(join(expected, `${table.name}.jsonl`), await readCells(warehouse, table))
  let failed = 0
  for (const reader of readers) {
    const script = join(import.meta.dirname, 'read_parquet.py')
    const child = spawn(python, [script, reader, folder, expected], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) failed += 1
  }
  return failed
}

/**
 * Reads the rows as JSON Lines, one array of cells per row. Cells are in PostgreSQL's text format, except times
 * (microseconds since 1970) and lists (JSON).
 */
async function readCells(warehouse: Postgres<unknown>, { name, columns, parquet }: SnapshotTable): Promise<string> {
  const cells = columns.map((column) => {
    const value = sql.ref(column.name)
    if (parquet?.text_columns.includes(column.name)) return sql`${value}::text`
    if (column.type.endsWith('[]')) return sql`to_jsonb(${value})::text`
    if (column.type.startsWith('timestamp')) return sql`(extract(epoch from ${value}) * 1000000)::bigint::text`
    return sql`${value}::text`
  })
  const { rows } = await sql<{ line: string }>`
    select jsonb_build_array(${sql.join(cells.slice(0, 50))}) || jsonb_build_array(${sql.join(cells.slice(50))}) as line
    from ${sql.table(`warehouse.${name}`)}`.execute(warehouse.db)
  return rows.map(({ line }) => `${JSON.stringify(line)}\n`).join('')
}
