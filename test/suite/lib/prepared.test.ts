import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { prepared } from '../../../src/lib/prepared-statements.ts'
import { testDatabase } from '../../helpers/database.ts'

it('prepares a marked statement once per connection, regardless of its values', async () => {
  await using service = await testDatabase('service')
  await service.db.connection().execute(async (db) => {
    for (const value of [1, 2]) {
      const { rows } = await sql<{ twice: number }>`${prepared} select 2 * ${value}::integer as twice`.execute(db)
      expect(rows).toEqual([{ twice: 2 * value }])
    }
    await sql`select 3 * ${1}::integer as thrice`.execute(db)
    const kept = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(kept.rows).toEqual([{ statement: expect.stringContaining('select 2 *') }])
  })
})
