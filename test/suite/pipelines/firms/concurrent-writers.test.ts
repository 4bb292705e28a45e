import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { FirmRow } from '../../../../pipelines/firms/firm-record.ts'
import { readFirm } from '../../../../pipelines/firms/firm-record.ts'
import type { FirmPage, WrittenPage } from '../../../../pipelines/firms/write-pages.ts'
import { writeFirmPages } from '../../../../pipelines/firms/write-pages.ts'
import { resumeWalk } from '../../../../pipelines/walk/walks.ts'
import { isRejected } from '../../../../pipelines/warehouse/rejected-record.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../../src/lib/postgres.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { untilWaitingForLocks } from '../../../helpers/waiting-for-locks.ts'

type Warehouse = Postgres<WarehouseTables>

/** A page of these firms that leaves its range open. */
const pageOf = (number: number, crds: number[], name: string, revision = 0): FirmPage => ({
  ...{ number, revision, below: null, closed: false, keys: [], rejected: [], rejectedFirms: [], unidentifiedKeys: [] },
  rows: crds
    .map((crd_number) => readFirm({ sec_number: `801-${crd_number}`, crd_number, legal_name: name }))
    .filter((firm): firm is FirmRow => !isRejected(firm)),
})

/** Writes a page of these firms in a separate walk, as nightly runs, backfills and repairs do. */
async function writePage(warehouse: Warehouse, stream: string, crds: number[], name: string): Promise<WrittenPage> {
  const { walk, ranges } = await resumeWalk(warehouse.db, stream, 1)
  const page = pageOf(0, crds, name, ranges[0]?.revision)
  const [written] = (await writeFirmPages(warehouse, { walkId: walk.id, runId: 1 }, [page])) ?? []
  if (!written) throw new Error('the range had moved')
  return written
}

/** Starts a walk with this number of ranges. */
async function startWalk({ db }: Warehouse, ranges: number): Promise<number> {
  const { walk } = await resumeWalk(db, 'firms', 1)
  for (let number = 1; number < ranges; number += 1)
    await db.insertInto('sync.range_state').values({ walk_id: walk.id, number }).execute()
  return walk.id
}

const statesOf = async ({ db }: Warehouse) =>
  (await db.selectFrom('warehouse.firm_version').select('legal_name').orderBy('valid_from').execute()).map(
    ({ legal_name }) => legal_name,
  )

const lockFirm = (trx: Warehouse['db'], crd: number) =>
  sql`select from warehouse.firm where firm_id = ${String(crd)} for update`.execute(trx)

const insertFirm = (trx: Warehouse['db'], crd: number) =>
  sql`
    insert into warehouse.firm (firm_id, sec_number, valid_from, run_id, row_hash)
    values (${String(crd)}, ${`801-${crd}`}, now(), 1, gen_random_uuid())
  `.execute(trx)

describe('two writers of the same firms', () => {
  it('two writers of the same firms do not deadlock when firms change', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    await writePage(warehouse, 'firms', [1, 2], 'Before')
    const first = await warehouse.db.startTransaction().execute()
    await lockFirm(first, 1)
    // The second writer waits for row 1 and must not lock row 2 in the meantime.
    const second = writePage(warehouse, 'backfill', [2, 1], 'After')
    await untilWaitingForLocks(warehouse.db, 1)
    await lockFirm(first, 2)
    await first.commit().execute()
    expect(await second).toMatchObject({ updated: 2 })
  })

  it('two writers of the same new firms do not deadlock, and the later values stay', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const first = await warehouse.db.startTransaction().execute()
    await insertFirm(first, 1)
    const second = writePage(warehouse, 'backfill', [2, 1], 'New')
    await untilWaitingForLocks(warehouse.db, 1)
    await insertFirm(first, 2)
    await first.commit().execute()
    expect(await second).toEqual({ inserted: 0, updated: 2, unchanged: 0, quarantined: 0 })
    const firms = await warehouse.db.selectFrom('warehouse.firm').select(['firm_id', 'legal_name']).execute()
    expect(firms.toSorted((one, other) => one.firm_id.localeCompare(other.firm_id))).toEqual([
      { firm_id: '1', legal_name: 'New' },
      { firm_id: '2', legal_name: 'New' },
    ])
  })

  it('two writers of the same change of a firm store the previous version once', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    await writePage(warehouse, 'firms', [1], 'Before')
    const holder = await warehouse.db.startTransaction().execute()
    await lockFirm(holder, 1)
    const writers = ['firms', 'backfill'].map((stream) => writePage(warehouse, stream, [1], 'After'))
    await untilWaitingForLocks(warehouse.db, 2)
    await holder.commit().execute()
    const written = await Promise.all(writers)
    expect(written.map(({ updated }) => updated).sort()).toEqual([0, 1])
    expect(await statesOf(warehouse)).toEqual(['Before', 'After'])
  })
})

describe('pages written together', () => {
  it('pages of firms that are written together keep their order if they have a firm in common', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const walkId = await startWalk(warehouse, 3)
    const pages = [pageOf(0, [1], 'First'), pageOf(1, [2], 'Other'), pageOf(2, [1], 'Second')]
    const written = await writeFirmPages(warehouse, { walkId, runId: 1 }, pages)
    expect(written).toMatchObject([{ inserted: 1 }, { inserted: 1 }, { updated: 1 }])
    expect((await statesOf(warehouse)).filter((name) => name !== 'Other')).toEqual(['First', 'Second'])
  })

  it('writing pages together keeps the first row of a firm that appears with and without its CRD number', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    await writePage(warehouse, 'backfill', [1], 'Before')
    const walkId = await startWalk(warehouse, 1)
    const page = pageOf(0, [1], 'After')
    const withoutCrd = readFirm({ sec_number: '801-1', legal_name: 'Again' })
    if (isRejected(withoutCrd)) throw new Error(withoutCrd.reason)
    page.rows.push(withoutCrd)
    const written = await writeFirmPages(warehouse, { walkId, runId: 1 }, [page])
    expect(written).toEqual([{ inserted: 0, updated: 1, unchanged: 0, quarantined: 1 }])
    expect(await statesOf(warehouse)).toEqual(['Before', 'After'])
  })

  it('rolls back pages that are written together if another run has taken over the walk', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const walkId = await startWalk(warehouse, 2)
    await warehouse.db.updateTable('sync.range_state').set({ revision: 1 }).where('number', '=', 1).execute()
    const pages = [pageOf(0, [1], 'First'), pageOf(1, [2], 'Other')]
    expect(await writeFirmPages(warehouse, { walkId, runId: 1 }, pages)).toBeUndefined()
    expect(await statesOf(warehouse)).toEqual([])
    const ranges = await warehouse.db
      .selectFrom('sync.range_state')
      .select(['revision', 'pages'])
      .orderBy('number')
      .execute()
    expect(ranges).toEqual([
      { revision: 0, pages: 0 },
      { revision: 1, pages: 0 },
    ])
  })

  it('writing pages together does not deadlock with a takeover of the walk', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const walkId = await startWalk(warehouse, 2)
    const takeover = await warehouse.db.startTransaction().execute()
    await sql`select from sync.walk where id = ${walkId} for update`.execute(takeover)
    const pages = [pageOf(0, [1], 'First'), pageOf(1, [2], 'Other')]
    const written = writeFirmPages(warehouse, { walkId, runId: 1 }, pages)
    await untilWaitingForLocks(warehouse.db, 1)
    // The writer must not lock any range in the meantime.
    await sql`update sync.range_state set revision = revision + 1 where walk_id = ${walkId}`.execute(takeover)
    await takeover.commit().execute()
    expect(await written).toBeUndefined()
  })
})
