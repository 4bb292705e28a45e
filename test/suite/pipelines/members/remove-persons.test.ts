import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MemberRecord } from '../../../../pipelines/members/read-record.ts'
import { removePersons } from '../../../../pipelines/members/remove-persons.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../../src/lib/postgres.ts'
import { testDatabase } from '../../../helpers/database.ts'

const EMPTY: MemberRecord = {
  domain: 'acme.example',
  company: undefined,
  persons: [],
  signals: [],
  companyProvenance: [],
  personProvenance: [],
  rejected: [],
  personsIncomplete: undefined,
  oldestSignal: undefined,
}
const JANE = { person_key: 'id:1', person_id: '1', row_hash: 'hash' }

let warehouse: Postgres<WarehouseTables>
beforeAll(async () => {
  warehouse = await testDatabase<WarehouseTables>('warehouse')
})
afterAll(() => warehouse[Symbol.asyncDispose]())

const tables = async () => {
  const { rows } = await sql<{ current: number; former: number }>`
    select (select count(*)::integer from warehouse.person) as current, (select count(*)::integer from warehouse.former_person) as former
  `.execute(warehouse.db)
  return rows[0]
}
const leave = () => removePersons(warehouse.db, EMPTY, new Set(['1']), 1)
const store = () =>
  sql`insert into warehouse.person (company_domain, person_key, person_id, full_name, is_leader, run_id, row_hash)
    values ('acme.example', ${JANE.person_key}, ${JANE.person_id}, 'Jane Roe', true, 1, 'hash')`.execute(warehouse.db)

it('a person who returns in an incomplete list is no former person, and can leave again', async () => {
  await store()
  await leave()
  expect(await tables()).toEqual({ current: 0, former: 1 })
  await store()
  await removePersons(warehouse.db, { ...EMPTY, persons: [JANE], personsIncomplete: 'cut' }, new Set(), 1)
  expect(await tables()).toEqual({ current: 1, former: 0 })
  await leave()
  expect(await tables()).toEqual({ current: 0, former: 1 })
})
