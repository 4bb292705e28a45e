import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { resumeWalk, splitRange } from '../../../../pipelines/walk/walks.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { untilWaitingForLocks } from '../../../helpers/waiting-for-locks.ts'

it('two workers that split ranges concurrently receive different ranges', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { ranges } = await resumeWalk(warehouse.db, 'firms', 1)
  const whole = ranges[0] as (typeof ranges)[0]
  const lower = await splitRange(warehouse.db, whole, '801-5')
  // Keeps the first split uncommitted while the second begins.
  let second: Promise<unknown> = Promise.resolve()
  await warehouse.db.transaction().execute(async (first) => {
    await splitRange(first, whole, '801-7')
    second = splitRange(warehouse.db, lower, '801-3')
    await untilWaitingForLocks(warehouse.db, 1)
  })
  await second
  const { rows } = await sql<{ number: number }>`select number from sync.range_state order by number`.execute(
    warehouse.db,
  )
  expect(rows.map(({ number }) => number)).toEqual([0, 1, 2, 3])
})
