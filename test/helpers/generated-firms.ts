import { sql } from 'kysely'
import type { Postgres } from '../../src/lib/postgres.ts'

/** An expression over `n` for a value of the type. A third of the optional values are null. */
const VALUES: Readonly<Record<string, string>> = {
  text: `case n % 4 when 0 then 'ADVISER NUMBER ' || n || ', LLC' when 1 then 'NEW YORK' when 2 then 'naïve – 東京 ' || n % 100 end`,
  bigint: `case when n % 3 > 0 then (n % 1000)::bigint end`,
  numeric: `case when n % 3 > 0 then (n::numeric * 123456.75) end`,
  boolean: `case when n % 3 > 0 then n % 2 = 0 end`,
  date: `case when n % 3 > 0 then date '2020-01-01' + n % 2000 end`,
  'timestamp with time zone': `timestamptz '2020-01-01' + n * interval '1.000001 s'`,
  jsonb: `case when n % 10 = 0 then jsonb_build_object('n', n) end`,
  uuid: 'md5(n::text)::uuid',
  ARRAY: `case when n % 3 > 0 then array['CA', 'NY'] end`,
}

/** Fills `warehouse.firm` with generated rows in all columns. Returns the number of columns. */
export async function generateFirms(warehouse: Postgres<unknown>, count: number): Promise<number> {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'warehouse' and table_name = 'firm' and is_generated = 'NEVER' order by ordinal_position
  `.execute(warehouse.db)
  const values = rows.map(({ name, type }) => {
    if (name === 'valid_to' || name === 'gone_at') return 'null'
    if (name === 'firm_id' || name === 'sec_number') return `'801-' || n`
    return name === 'crd_number' || name === 'run_id' ? 'n' : (VALUES[type] ?? 'null')
  })
  const names = rows.map(({ name }) => `"${name}"`).join(', ')
  await sql
    .raw(`insert into warehouse.firm (${names}) select ${values.join(', ')} from generate_series(1, ${count}) n`)
    .execute(warehouse.db)
  await sql`vacuum analyze warehouse.firm`.execute(warehouse.db)
  return rows.length
}
