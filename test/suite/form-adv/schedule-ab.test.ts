import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import { createFirmChangesProvider } from '../../../src/enrichment/providers/form-adv-changes.ts'
import { createScheduleProvider, findOfficers } from '../../../src/enrichment/providers/schedule-ab.ts'
import type { ProviderRequest } from '../../../src/findings/provider.ts'
import { importScheduleFile } from '../../../src/form-adv/import-schedules.ts'
import { parseSubmitted } from '../../../src/form-adv/schedule-ab.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { zipFile } from '../../helpers/zip-file.ts'

const SCHEDULE =
  'FilingID,SchA-3,Schedule,Full Legal Name,DE/FE/I,Entity in Which,Title or Status,Status Acquired,Ownership Code,Control Person,PR,OwnerID'
const options = { maxBytes: 50 * 2 ** 20 }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-schedules-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const makeZip = (name: string, members: Record<string, Buffer>) => zipFile(join(folder, name), members)

const csv = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8')
const base = (...filings: [id: number, submitted: string, crd: number][]): Buffer =>
  csv(
    'FilingID,DateSubmitted,1A,1E1',
    ...filings.map(([id, submitted, crd]) => `${id},${submitted},"Invented Advisers, LLC",${crd}`),
  )

const firms = (service: Postgres<ServiceTables>, ...list: [crd: number, domain: string][]) =>
  Promise.all(
    list.map(([crd, domain]) =>
      sql`insert into firm (sec_number, crd_number, firm_type, website_domain, items, as_of, first_as_of)
        values (${`801-${crd}`}, ${crd}, 'registered', ${domain}, '{}', '2026-06-01', '2026-06-01')`.execute(
        service.db,
      ),
    ),
  )

describe('schedules A and B', () => {
  test('records a leadership change for a later filing of the schedules with a new president', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    await firms(service, [1007, 'larchwood-advisers.example'])
    const filing = (id: number, submitted: string, ...people: string[]) =>
      makeZip(`ADV_Filing_Data_${id}.zip`, {
        [`IA_ADV_Base_A_${id}.csv`]: base([id, submitted, 1007]),
        [`IA_Schedule_A_B_${id}.csv`]: csv(
          SCHEDULE,
          ...people.map((person) => `${id},,A,${person},I,,PRESIDENT,01/2020,NA,Y,N,`),
        ),
      })
    const officers = () =>
      createFirmChangesProvider(service.db).find({
        domain: 'larchwood-advisers.example',
        known: {},
        groups: new Set(['signals']),
        maxPeople: 5,
        maxArticles: 10,
        clock: { now: () => new Date('2026-11-20T00:00:00Z') },
        signal: AbortSignal.timeout(20_000),
        log: silentLog,
      })
    await importScheduleFile(service, await filing(71, '06/03/2026 09:31:51 AM', '"ROE, SAM"'), options)
    expect((await officers()).signals).toEqual([])
    const later = await filing(72, '09/03/2026 09:31:51 AM', '"DAY, LEE"')
    await importScheduleFile(service, later, options)
    await importScheduleFile(service, later, options)
    expect((await officers()).signals.map(({ type, headline, date }) => [type, date, headline.slice(-52)])).toEqual([
      ['Leadership Change', '2026-09-03', 'DAY, LEE is listed as PRESIDENT (Form ADV Schedule A)'.slice(-52)],
      ['Leadership Change', '2026-09-03', 'is no longer listed as PRESIDENT (Form ADV Schedule A)'.slice(-52)],
    ])
  })

  test('imports natural persons from the schedules with their titles as filed, but no entities', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    await firms(service, [1001, 'invented-advisers.example'])
    const file = await makeZip('ADV_Filing_Data_1.zip', {
      'IA_ADV_Base_A_1.csv': base([11, '06/03/2026 09:31:51 AM', 1001]),
      'IA_Schedule_A_B_1.csv': csv(
        SCHEDULE,
        '11,Y,A,"TESTWELL, ANNA, MAE",I,,CHIEF COMPLIANCE OFFICER,08/2012,NA,Y,N,9001',
        '11,Y,A,"SAMPLEWRIGHT, JOHN, Q, JR",I,,PRESIDENT AND CEO,May-12,E,Y,N,9002',
        '11,Y,A,INVENTED HOLDINGS LLC,DE,,MEMBER,01/2010,D,Y,N,',
        '11,Y,B,"FAKENBY, CARLA",I,INVENTED HOLDINGS LLC,MEMBER,01/2010,F,Y,N,9003',
      ),
    })
    const report = await importScheduleFile(service, file, options)
    expect(report).toMatchObject({ firms: 1, firms_renewed: 1, owners: 4, persons: 3, broken: 0 })
    const { rows } = await sql`select ownership_code, control_person from firm_owner where position = 1`.execute(
      service.db,
    )
    expect(rows).toEqual([{ ownership_code: 'NA', control_person: true }])
    const request = { domain: 'invented-advisers.example', maxPeople: 5, log: silentLog } as ProviderRequest
    const findings = await createScheduleProvider(service.db).find(request)
    expect(findings.people).toMatchObject([
      {
        full_name: 'John Q Samplewright Jr',
        first_name: 'John',
        last_name: 'Samplewright',
        title: 'PRESIDENT AND CEO',
        seniority: 'executive',
      },
      {
        full_name: 'Anna Mae Testwell',
        title: 'CHIEF COMPLIANCE OFFICER',
        department: 'compliance',
        observed_at: '2026-06-03T09:31:51.000000Z',
      },
    ])
    expect(await findOfficers(service.db, 'other.example')).toEqual([])
  })

  test("keeps a firm's latest filing of the schedules, regardless of the zips' order and encoding", async () => {
    await using service = await testDatabase<ServiceTables>('service')
    await firms(service, [1001, 'a.example'], [1002, 'b.example'])
    const line = (filing: number, name: string, title: string) => `${filing},N,A,"${name}",I,,${title},01/2020,A,N,N,`
    const newer = await makeZip('newer.zip', {
      'IA_ADV_Base_A_2.csv': base([30, '6/24/2026 7:44', 1001]),
      'IA_Schedule_A_B_2.csv': csv(SCHEDULE, line(30, 'MÜLLER, JÖRG', 'CEO')),
    })
    const older = await makeZip('older.zip', {
      'data/IA_ADV_Base_A_1.csv': base([20, '6/24/2025', 1001], [21, '12/1/2025', 1002], [22, '12/2/2025', 1002]),
      // windows-1252: 0xD6 is Ö
      'data/IA_Schedule_A_B_1.csv': Buffer.from(
        `${SCHEDULE}\r\n${line(20, 'OLD, ANNA', 'CEO')}\r\n${line(21, 'OLD, BEN', 'CFO')}\r\n${line(22, 'NEW-ÖBERG, BEA', 'CFO')}\r\n`,
        'latin1',
      ),
    })
    await importScheduleFile(service, newer, options)
    const second = await importScheduleFile(service, older, options)
    expect(second).toMatchObject({ firms_renewed: 1, owners: 1, superseded: 2 })
    expect((await findOfficers(service.db, 'a.example')).map(({ full_name }) => full_name)).toEqual(['Jörg Müller'])
    expect((await findOfficers(service.db, 'b.example')).map(({ full_name }) => full_name)).toEqual(['Bea New-Öberg'])
    expect(await importScheduleFile(service, older, options)).toMatchObject({ firms_renewed: 0, owners: 0 })
  })

  test('counts unreadable lines of the schedules and imports the others', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    const file = await makeZip('odd.zip', {
      'ERA_ADV_Base_1.csv': base([40, '1/2/2026', 1003]),
      'ERA_Schedule_A_B_1.csv': csv(
        SCHEDULE,
        '40,N,A,"DOE, ANNA "ANNIE"",I,,MANAGER,01/2020,A,N,N,',
        '40,N,A,too,few',
        '41,N,A,"NOBODY, KNOWN",I,,CEO,01/2020,A,N,N,',
        `40,N,A,"LONG, CELL",I,,${'VERY LONG TITLE '.repeat(20_000)},01/2020,A,N,N,`,
        '40,N,A,"DOE, BEN",I,,CEO,01/2020,A,N,N,',
      ),
    })
    expect(await importScheduleFile(service, file, options)).toMatchObject({ owners: 3, broken: 2 })
  })

  test('rejects a zip without schedules and changes nothing', async () => {
    await using service = await testDatabase<ServiceTables>('service')
    const file = await makeZip('other.zip', { 'IA_ADV_Base_A_1.csv': base([1, '1/2/2026', 1]) })
    await expect(importScheduleFile(service, file, options)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('IA_Schedule_A_B'),
    })
    const { rows } = await sql`select 1 from firm_schedule_filing`.execute(service.db)
    expect(rows).toEqual([])
  })
})

test.each([
  ['09/03/2025 09:31:51 AM', '2025-09-03T09:31:51'],
  ['09/03/2025 12:01:00 AM', '2025-09-03T00:01:00'],
  ['6/24/2025 7:44', '2025-06-24T07:44:00'],
  ['6/24/2025', '2025-06-24T00:00:00'],
  ['', null],
  ['13/45/2025', null],
  ['02/30/2025 09:31:51 AM', null],
  ['1/1/0000', null],
])('reads the submission date %j as %j', (written, expected) => expect(parseSubmitted(written)).toBe(expected))
