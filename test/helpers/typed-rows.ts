import { sql } from 'kysely'
import type { Postgres } from '../../src/lib/postgres.ts'

/**
 * One value of each type per row, in SQL: ordinary values, boundary values, values that readers often misread, and
 * nulls.
 */
const ROWS = [
  [1, `'plain'`, '1', '1', '1', 'true', '1.5', '0.1', '123.45', '12345.678', `'2026-11-21'`],
  [
    2,
    `''`,
    '-32768',
    '-2147483648',
    '-9223372036854775808',
    'false',
    `'NaN'`,
    `'-Infinity'`,
    '-99999.99',
    '-0.00000001',
    `'0001-01-01'`,
  ],
  [
    3,
    `E'tab\\tline\\nback\\\\slash \\\\N "quoted", comma'`,
    '32767',
    '2147483647',
    '9223372036854775807',
    'true',
    '-0.0',
    '1e308',
    '0',
    '123456789012345678901234567890.12345678',
    `'9999-12-30'`,
  ],
  [
    4,
    `'naïve – 東京 🙂 é'`,
    'null',
    'null',
    'null',
    'null',
    'null',
    'null',
    'null',
    '-999999999999999999999999999999',
    'null',
  ],
  [5, 'null', '0', '0', '0', 'false', '0', '0', '0.10', '1000000000.00', `'1969-12-31'`],
] as const
const TIMES = [
  [
    `'2026-01-02 03:04:05.123456+00'`,
    `'2026-01-02 03:04:05.5'`,
    `'{"a": [1, null], "ü": "x"}'`,
    `'{NY,"two words",null,""}'`,
  ],
  [`'1969-12-31 23:59:59.999999+00'`, `'1900-01-01 00:00:00'`, `'null'`, `'{}'`],
  [`'9999-12-29 00:00:00.000001+00'`, `'2026-06-01'`, `'"text"'`, `'{"a,b","back\\\\slash","quo\\"te"}'`],
  ['null', 'null', 'null', 'null'],
  [`'2026-11-21 00:00:00+05:30'`, `'0001-01-01'`, `'[]'`, `'{ü}'`],
] as const

/** Creates the `warehouse.typed` table, with a column of each type that a snapshot exports. */
export async function createTypedRows(warehouse: Postgres<unknown>): Promise<void> {
  await sql`
    create table warehouse.typed (
      id integer primary key, gone text, body text, small smallint, middle integer, large bigint, flag boolean,
      single real, double double precision, price numeric(10, 2), amount numeric, day date,
      seen_at timestamptz, local_at timestamp, details jsonb, states text[]
    )`.execute(warehouse.db)
  await sql`alter table warehouse.typed drop column gone`.execute(warehouse.db)
  for (const [index, row] of ROWS.entries())
    await sql
      .raw(`insert into warehouse.typed values (${[...row, ...(TIMES[index] ?? [])].join(', ')})`)
      .execute(warehouse.db)
}

/** Adds rows with other values, so that the table has several row groups. */
export async function addTypedRows(warehouse: Postgres<unknown>, count: number): Promise<void> {
  await sql`
    insert into warehouse.typed
    select 100 + n, case when n % 7 > 0 then 'row ' || n end, n % 100, n, n * 1000000007::bigint, n % 3 = 0, n / 8.0, n / 3.0,
      n / 100.0, n::numeric * 1234567890123456789.123, date '2020-01-01' + n % 2000, timestamptz '2020-01-01' + n * interval '1.000001 s',
      timestamp '2020-01-01' + n * interval '1 s', jsonb_build_object('n', n), case when n % 5 > 0 then array[n::text, null] end
    from generate_series(1, ${count}::integer) n`.execute(warehouse.db)
}
