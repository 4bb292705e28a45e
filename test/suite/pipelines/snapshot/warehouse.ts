import { sql } from 'kysely'
import type { Postgres } from '../../../../src/lib/postgres.ts'
import { testDatabase } from '../../../helpers/database.ts'

/** Text that CSV readers often get wrong. */
export const AWKWARD = [
  'plain',
  'a "quoted" word',
  'two\nlines',
  'comma, comma',
  '',
  '=1+1',
  '+44 20',
  '-5',
  '@sum',
  'naïve – 東京',
  ' padded ',
]

/** A warehouse with two extra tables, one small and one larger. */
export async function warehouseWithRows(rows = 1000): Promise<Postgres<unknown>> {
  const warehouse = await testDatabase<unknown>('warehouse')
  await sql`create table warehouse.awkward (id integer primary key, body text, amount numeric(20, 2))`.execute(
    warehouse.db,
  )
  await sql`insert into warehouse.awkward select n - 1, text, -n from unnest(${AWKWARD}::text[]) with ordinality as given (text, n)`.execute(
    warehouse.db,
  )
  await sql`insert into warehouse.awkward values (99, null, null)`.execute(warehouse.db)
  await sql`create table warehouse.numbered (id integer primary key, body text not null, seen_at timestamptz not null)`.execute(
    warehouse.db,
  )
  await sql`insert into warehouse.numbered select n, repeat('row "' || n || E'"\n', 5), now() from generate_series(1, ${rows}::integer) n`.execute(
    warehouse.db,
  )
  return warehouse
}
