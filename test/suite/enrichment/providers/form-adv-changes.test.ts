import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceTables } from '../../../../src/db/database.ts'
import { createFirmChangesProvider } from '../../../../src/enrichment/providers/form-adv-changes.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import type { Postgres } from '../../../../src/lib/postgres.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { storeFirms } from '../../../helpers/store-firms.ts'

let service: Postgres<ServiceTables>
beforeAll(async () => {
  service = await testDatabase<ServiceTables>('service')
  await storeFirms(service, [
    {
      crd_number: 11,
      sec_number: '801-11',
      firm_type: 'registered',
      business_name: 'Larchwood Wealth',
      website_domain: 'larchwood.example',
    },
    {
      crd_number: 12,
      sec_number: '801-12',
      firm_type: 'registered',
      business_name: 'Twin One',
      website_domain: 'twin.example',
    },
    {
      crd_number: 13,
      sec_number: '801-13',
      firm_type: 'registered',
      business_name: 'Twin Two',
      website_domain: 'twin.example',
    },
  ])
  const changed = (crd: number, field: string, old: unknown, now: unknown, asOf: string) =>
    sql`insert into firm_change (crd_number, as_of, field, old_value, new_value, import_id)
      values (${crd}, ${asOf}, ${field}, ${JSON.stringify(old)}::jsonb, ${JSON.stringify(now)}::jsonb, ${randomUUID()})`.execute(
      service.db,
    )
  await changed(11, 'other_office_count', 1, 3, '2026-10-01')
  await changed(11, 'notice_states', ['CA'], ['CA', 'NV', 'OR'], '2026-10-01')
  await changed(11, 'sec_status', '120-Day Approval', 'Approved', '2026-08-01')
  await changed(11, 'other_office_count', 0, 1, '2024-01-01')
  await changed(12, 'other_office_count', 0, 9, '2026-10-01')
})
afterAll(() => service[Symbol.asyncDispose]())

const find = (domain: string) =>
  createFirmChangesProvider(service.db).find({
    domain,
    known: {},
    groups: new Set(['signals']),
    maxPeople: 5,
    maxArticles: 10,
    clock: { now: () => new Date('2026-11-20T00:00:00Z') },
    signal: AbortSignal.timeout(20_000),
    log: silentLog,
  })

test('returns the changes of a firm between the rosters of the last year', async () => {
  const { status, signals } = await find('larchwood.example')
  expect(status).toBe('found')
  expect(signals.map(({ type, headline, date }) => [type, headline, date])).toEqual([
    [
      'Expansion',
      'Larchwood Wealth: additional offices from 1 to 3; notice filings in 2 more states: NV, OR (Form ADV)',
      '2026-10-01',
    ],
    ['Regulatory', 'Larchwood Wealth: SEC status from 120-Day Approval to Approved (Form ADV)', '2026-08-01'],
  ])
})

test('returns no signals for a domain with no adviser or several advisers', async () => {
  expect(await find('twin.example')).toMatchObject({ status: 'not_found', signals: [] })
  expect(await find('nobody.example')).toMatchObject({ status: 'not_found', signals: [] })
})
