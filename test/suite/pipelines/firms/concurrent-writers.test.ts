import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { FirmRow } from '../../../../pipelines/firms/firm-record.ts'
import { readFirm } from '../../../../pipelines/firms/firm-record.ts'
import type { WrittenPage } from '../../../../pipelines/firms/write-page.ts'
import { writeFirmPage } from '../../../../pipelines/firms/write-page.ts'
import { resumeWalk } from '../../../../pipelines/walk/walks.ts'
import { isRejected } from '../../../../pipelines/warehouse/rejected-record.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../../src/lib/postgres.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { untilWaitingForLocks } from '../../../helpers/waiting-for-locks.ts'

type Warehouse = Postgres<WarehouseTables>

/** Writes a page of these firms in a separate walk, as a night, a backfill and a repair do. */
async function writePage(warehouse: Warehouse, stream: string, crds: number[], name: string): Promise<WrittenPage> {
  const { walk, ranges } = await resumeWalk(warehouse.db, stream, 1)
  const rows = crds
    .map((crd_number) => readFirm({ sec_number: `801-${crd_number}`, crd_number, legal_name: name }))
    .filter((firm): firm is FirmRow => !isRejected(firm))
  const none = { keys: [], rejected: [], rejectedFirms: [], unidentifiedKeys: [] }
  const at = { walkId: walk.id, number: 0, revision: ranges[0]?.revision ?? 0, runId: 1, below: null, closed: false }
  const written = await writeFirmPage(warehouse, { ...at, ...none, rows })
  if (!written) throw new Error('the range had moved')
  return written
}

const lockFirm = (trx: Warehouse['db'], crd: number) =>
  sql`select from warehouse.firm where firm_id = ${String(crd)} for update`.execute(trx)

const insertFirm = (trx: Warehouse['db'], crd: number) =>
  sql`
    insert into warehouse.firm (firm_id, sec_number, valid_from, run_id, row_hash)
    values (${String(crd)}, ${`801-${crd}`}, now(), 1, gen_random_uuid())
  `.execute(trx)

describe('two writers of the same firms', () => {
  it('do not deadlock when firms change', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    await writePage(warehouse, 'firms', [1, 2], 'Before')
    const first = await warehouse.db.startTransaction().execute()
    await lockFirm(first, 1)
    // It waits for row 1 and must not hold row 2 meanwhile.
    const second = writePage(warehouse, 'backfill', [2, 1], 'After')
    await untilWaitingForLocks(warehouse.db, 1)
    await lockFirm(first, 2)
    await first.commit().execute()
    expect(await second).toMatchObject({ updated: 2 })
  })

  it('do not deadlock when firms are new', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const first = await warehouse.db.startTransaction().execute()
    await insertFirm(first, 1)
    const second = writePage(warehouse, 'backfill', [2, 1], 'New')
    await untilWaitingForLocks(warehouse.db, 1)
    await insertFirm(first, 2)
    await first.commit().execute()
    await second
    expect(await warehouse.db.selectFrom('warehouse.firm').select('firm_id').execute()).toHaveLength(2)
  })

  it('keep the previous version once when both have the same change', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    await writePage(warehouse, 'firms', [1], 'Before')
    const holder = await warehouse.db.startTransaction().execute()
    await lockFirm(holder, 1)
    const writers = ['firms', 'backfill'].map((stream) => writePage(warehouse, stream, [1], 'After'))
    await untilWaitingForLocks(warehouse.db, 2)
    await holder.commit().execute()
    const written = await Promise.all(writers)
    expect(written.map(({ updated }) => updated).sort()).toEqual([0, 1])
    const states = await warehouse.db
      .selectFrom('warehouse.firm_version')
      .select('legal_name')
      .orderBy('valid_from')
      .execute()
    expect(states.map(({ legal_name }) => legal_name)).toEqual(['Before', 'After'])
  })
})
