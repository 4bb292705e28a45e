import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findOfficers } from '../../../src/enrichment/providers/schedule-ab.ts'
import { importScheduleFile } from '../../../src/form-adv/import-schedules.ts'
import { erasePerson } from '../../../src/privacy/erase-person.ts'
import { TEST_ACTOR } from '../../helpers/clients.ts'
import { gathered, record } from '../../helpers/findings.ts'
import { placesHolding } from '../../helpers/search-database.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'
import { zipFile } from '../../helpers/zip-file.ts'

const DOMAIN = 'acme.example'
const HEADINGS =
  'FilingID,SchA-3,Schedule,Full Legal Name,DE/FE/I,Entity in Which,Title or Status,Status Acquired,Ownership Code,Control Person,PR,OwnerID'
const line = (filing: number, name: string, owner: string) =>
  `${filing},,A,"${name}",I,,PARTNER,01/2020,NA,Y,N,${owner}`

/** Imports a filing with two officers, and stores them as people at the company. */
async function importFiling(
  service: TestService,
  folder: string,
  filing: number,
  formAdvNames: 'keep' | 'drop',
): Promise<void> {
  const zip = await zipFile(join(folder, `ADV_Filing_Data_${filing}.zip`), {
    'IA_ADV_Base_A.csv': `FilingID,DateSubmitted,1A,1E1\r\n${filing},06/0${filing}/2026 09:00:00 AM,"ACME",4711\r\n`,
    'IA_Schedule_A_B.csv': `${[HEADINGS, line(filing, 'QUUX, ZELDA, ANN', '7654321'), line(filing, 'STONE, BOB', '1234567')].join('\r\n')}\r\n`,
  })
  await importScheduleFile(service.postgres, zip, { maxBytes: 2 ** 20, formAdvNames })
  const people = await findOfficers(service.db, DOMAIN)
  await record(service.db, gathered(DOMAIN, { people }))
}

it.each([
  ['drop', ['STONE, BOB', '[erased]'], []],
  ['keep', ['QUUX, ZELDA, ANN', 'STONE, BOB'], ['firm_owner.full_legal_name']],
] as const)('with form_adv_names %s, filings and later imports name %j', async (policy, names, places) => {
  await using service = await startService()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-filings-'))
  await storeFirms(service.postgres, [
    { crd_number: 4711, sec_number: '801-4711', legal_name: 'ACME', website_domain: DOMAIN },
  ])
  await importFiling(service, folder, 1, policy)
  expect(await placesHolding(service.db, 'quux')).toContain('person.full_name')
  await erasePerson(
    service.db,
    { full_name: 'Zelda Quux', company_domain: DOMAIN },
    { actor: TEST_ACTOR, formAdvNames: policy },
  )
  for (const filing of [1, 2]) {
    if (filing > 1) await importFiling(service, folder, filing, policy)
    const owners = await service.db.selectFrom('firm_owner').select(['full_legal_name', 'owner_id']).execute()
    expect(owners.map(({ full_legal_name }) => full_legal_name).sort()).toEqual([...names])
    expect(owners.map(({ owner_id }) => owner_id).includes('7654321')).toBe(policy === 'keep')
    expect(await placesHolding(service.db, 'quux')).toEqual([...places])
    const people = await service.db.selectFrom('person').select('full_name').execute()
    expect(people.map(({ full_name }) => full_name)).toEqual(['Bob Stone'])
  }
  await rm(folder, { recursive: true })
})
