import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readRecord } from '../../../../pipelines/members/read-record.ts'
import type { FetchedMember } from '../../../../pipelines/members/write-record.ts'
import { writeRecords } from '../../../../pipelines/members/write-record.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../../../helpers/database.ts'

/** A company with one person, and the given number of invalid people. */
function member(domain: string, invalid = 0): FetchedMember {
  const person = (name: string, more = {}) => ({ email_hash: `${name}-${domain}`, full_name: name, ...more })
  const persons = [person('Ann'), ...Array.from({ length: invalid }, () => person('Bob', { enriched_at: 'soon' }))]
  const groups = { leaders: [], signals: [], personsIncomplete: undefined }
  const record = readRecord({
    domain,
    record: { domain, name: domain, enrichment_status: 'complete' },
    persons,
    ...groups,
  })
  return { record, fingerprint: 'listed', raw: undefined, departed: new Set() }
}

it('writes several members at once, and skips members that have left the list', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { db } = warehouse
  await sql`
    insert into warehouse.tal_member (domain, run_id, row_hash, gone_at)
    values ('a.example', 1, '', null), ('b.example', 1, '', null), ('left.example', 1, '', now())`.execute(db)
  const fetched = [member('a.example'), member('left.example'), member('unknown.example'), member('b.example', 1)]
  expect(await writeRecords(db, fetched, 1)).toEqual({ inserted: 4, updated: 0, unchanged: 0, quarantined: 1 })
  const domains = async (table: 'warehouse.company' | 'sync.member_state') =>
    (await db.selectFrom(table).select('domain').orderBy('domain').execute()).map(({ domain }) => domain)
  expect(await domains('warehouse.company')).toEqual(['a.example', 'b.example'])
  expect(await domains('sync.member_state')).toEqual(['a.example', 'b.example'])
  expect(await writeRecords(db, fetched, 2)).toEqual({ inserted: 0, updated: 0, unchanged: 4, quarantined: 1 })
})
