import { expect, it } from 'vitest'
import type { EventRow } from '../../../../pipelines/history/read-event.ts'
import { insertEvents } from '../../../../pipelines/history/write-events.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { untilWaitingForLocks } from '../../../helpers/waiting-for-locks.ts'

const event = (number: number): EventRow => ({
  domain: 'a.example',
  event_key: String(number).padStart(6, '0'),
  entity: 'company',
  key: 'a.example',
  field: 'name',
  old_value: null,
  new_value: number,
  changed_at: '2026-01-01T00:00:00Z',
  position: 0,
  source: null,
  task_id: null,
  person_id: null,
  kind: null,
  extra: null,
  raw: null,
})

it('a nightly run and a backfill that write the same events do not deadlock', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { db } = warehouse
  const write = (trx: typeof db, events: EventRow[]) => insertEvents(trx, { events, rejected: [] }, 1)
  const first = await db.startTransaction().execute()
  await write(first, [event(1)])
  // The second writer waits for row 1 and must not lock row 2 in the meantime.
  const second = db.transaction().execute((trx) => write(trx, [event(2), event(1)]))
  await untilWaitingForLocks(db, 1)
  expect(await write(first, [event(2)])).toMatchObject({ inserted: 1 })
  await first.commit().execute()
  expect(await second).toMatchObject({ inserted: 0 })
})
