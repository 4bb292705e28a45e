import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db, ServiceTables } from '../../../src/db/database.ts'
import type { ImportReport } from '../../../src/firms/merge-roster.ts'
import { importFirmFile } from '../../../src/form-adv/import-file.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { readRosterIndependently } from '../../helpers/read-roster-independently.ts'
import { SHARED_ROSTERS } from '../../helpers/shared-data.ts'

const JULY = join(SHARED_ROSTERS, 'ia070122.zip')
const OCTOBER = join(SHARED_ROSTERS, 'ia100322.zip')
const options = { maxBytes: 2 ** 32, maxGoneShare: 0.1 }

// The rosters are public files that are too large for the repository.
describe.skipIf(!existsSync(JULY))('the real rosters of July and October 2022', () => {
  let service: Postgres<ServiceTables>
  let july: ImportReport
  let october: ImportReport

  beforeAll(async () => {
    service = await testDatabase<ServiceTables>('service')
    july = await importFirmFile(service, JULY, options)
    october = await importFirmFile(service, OCTOBER, options)
  }, 600_000)
  afterAll(() => service[Symbol.asyncDispose]())

  it('imports the rosters of July and October 2022 without losing a row', () => {
    expect(july).toMatchObject({
      rows: 15_167,
      new: 15_167,
      quarantined: 0,
      gone: 0,
      as_of: '2022-06-30',
      encoding: 'windows-1252',
    })
    expect(october).toMatchObject({
      rows: 15_419,
      new: 408,
      gone: 156,
      quarantined: 0,
      gone_unconfirmed: 0,
      as_of: '2022-10-01',
    })
    expect(october.changed + october.unchanged).toBe(15_011)
  })

  it('preserves employee counts of the real rosters, and assets to the cent', async () => {
    const filed = readRosterIndependently(OCTOBER).map((row) => ({
      crd_number: Number(row['Organization CRD#']),
      sec_number: row['SEC#'],
      legal_name: row['Legal Name'],
      employee_count: row['5A'] === '' ? null : Number(row['5A']),
      aum_total_usd: Number(row['5F(2)(c)']?.replaceAll(',', '')).toFixed(2),
    }))
    const { rows } = await sql`
      select crd_number, sec_number, legal_name, employee_count, aum_total_usd::text
      from firm where gone_as_of is null order by crd_number`.execute(service.db)
    expect(rows).toHaveLength(15_419)
    expect(rows).toEqual(filed.sort((one, other) => one.crd_number - other.crd_number))
  })

  it('preserves every cell of every row of the real rosters', async () => {
    const [last] = readRosterIndependently(OCTOBER).slice(-1)
    const firm = await service.db
      .selectFrom('firm')
      .selectAll()
      .where('crd_number', '=', Number(last?.['Organization CRD#']))
      .executeTakeFirstOrThrow()
    expect(firm.items['5D(b)(1)'] ?? '').toBe(last?.['5D(b)(1)'])
    expect(firm.items['8C(1)']).toBe(last?.['8C(1)'])
    expect(firm.items['SEC#']).toBeUndefined()
  })

  it('reconstructs every value of the July roster from the current data and the changes', async () => {
    const { rows } = await sql<{ crd_number: number; aum: string | null }>`
      select firm.crd_number, coalesce(
        case when change.crd_number is null then firm.aum_total_usd::text else change.old_value::text end, null) as aum
      from firm left join firm_change change on change.crd_number = firm.crd_number and change.field = 'aum_total_usd'
      where firm.first_as_of <= '2022-06-30'`.execute(service.db)
    const told = new Map(rows.map(({ crd_number, aum }) => [crd_number, Number(aum)]))
    const filed = readRosterIndependently(JULY).map((row): [number, number] => [
      Number(row['Organization CRD#']),
      Number(row['5F(2)(c)']?.replaceAll(',', '')),
    ])
    expect(told).toEqual(new Map(filed))
  })

  it('importing the real rosters again changes nothing', async () => {
    const before = await digest(service.db)
    expect(await importFirmFile(service, JULY, options)).toMatchObject({
      rows: 15_167,
      unchanged: 15_167,
      new: 0,
      changed: 0,
      gone: 0,
    })
    expect(await importFirmFile(service, OCTOBER, options)).toMatchObject({
      rows: 15_419,
      unchanged: 15_419,
      new: 0,
      changed: 0,
      gone: 0,
    })
    expect(await digest(service.db)).toEqual(before)
  })
})

async function digest(db: Db): Promise<unknown> {
  const { rows } = await sql`
    select (select md5(string_agg(md5(firm::text), '' order by crd_number)) from firm) as firms,
      (select count(*) from firm_change) as changes, (select version from firm_dataset) as version`.execute(db)
  return rows
}
