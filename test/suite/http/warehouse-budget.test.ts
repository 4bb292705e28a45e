import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseDue } from '../../../pipelines/enrich/choose-due.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { WarehouseOverview } from '../../../src/contract/warehouse.ts'
import type { Budget } from '../../../src/contract/warehouse-budget.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { testOperations } from '../../helpers/operations.ts'
import { PIPELINE_SETTINGS } from '../../helpers/pipeline-deps.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let warehouse: Postgres<WarehouseTables>
beforeAll(async () => {
  warehouse = await testDatabase<WarehouseTables>('warehouse')
  service = await startService({ warehouse: testOperations(warehouse) })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await warehouse[Symbol.asyncDispose]()
})

const url = '/v2/warehouse/budget'
const unspent = async () => {
  const usage = { units_remaining: 50, overage_allowed: false } as Parameters<typeof chooseDue>[2]
  return (await chooseDue(warehouse.db, '2026-11-22', usage, PIPELINE_SETTINGS)).unspent
}

describe('the nightly budget', () => {
  it('the nightly budget defaults to the settings until it is set, and limits the next nightly run', async () => {
    const { units_per_night, keep_units } = PIPELINE_SETTINGS.enrich
    const ofSettings = { units_per_night, keep_units, changed_at: null }
    expect((await service.call<Budget>('GET', url)).body).toEqual(ofSettings)
    expect(await unspent()).toBe(50)
    const set = await service.call<Budget>('POST', url, { body: { units_per_night: 30, keep_units: 25 } })
    expect(set.body).toEqual({ units_per_night: 30, keep_units: 25, changed_at: expect.any(String) })
    expect(await unspent()).toBe(25)
    await service.call<Budget>('POST', url, { body: { units_per_night: 0, keep_units: 0 } })
    expect(await unspent()).toBe(0)
    expect((await service.call<WarehouseOverview>('GET', '/v2/warehouse/overview')).body.units_per_night).toBe(0)
    expect((await service.call<Budget>('DELETE', url)).body).toEqual(ofSettings)
    expect(await unspent()).toBe(50)
  })
})
