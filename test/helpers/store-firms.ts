import type { Firm } from '../../src/contract/firm-fields.ts'
import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'
import type { ServiceTables } from '../../src/db/database.ts'
import { mergeRoster } from '../../src/firms/merge-roster.ts'
import type { StagedFirm } from '../../src/firms/staged-firm.ts'
import type { Postgres } from '../../src/lib/postgres.ts'

/** Imports firms as a complete roster. */
export async function storeFirms(service: Postgres<ServiceTables>, firms: readonly Partial<Firm>[]) {
  async function* rows(): AsyncGenerator<StagedFirm> {
    for (const [index, firm] of firms.entries()) {
      const firm_type = firm.sec_number?.startsWith('802') ? 'exempt' : 'registered'
      const items = { '8C(1)': 'Y', '5D(a)(1)': String(index) }
      yield { line: index + 2, reason: null, row: null, values: { firm_type, ...firm }, items }
    }
  }
  const file = {
    file: 'test.csv',
    sha256: String(firms.length),
    layout: 'test',
    encoding: 'utf-8',
    fields: FIRM_FIELD_NAMES,
    itemHeadings: ['8C(1)', '5D(a)(1)'],
    firms: rows(),
    day: undefined,
    dayWithoutDates: '2022-10-01',
    warnings: [],
    incompleteReason: null,
    startedAt: '2022-10-02T00:00:00.000000Z',
  }
  return await mergeRoster(service, file, { maxGoneShare: 1 })
}
