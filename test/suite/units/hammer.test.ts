import { expect, it } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import { hammerLedger } from '../../chaos/hammer-ledger.ts'
import { givenClient } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'

it.each([
  [false, 'never goes below zero without overage'],
  [true, 'goes below zero with overage'],
])('an account charged by 24 clients in 3 processes (overage: %s) %s, and does not drift', async (overage) => {
  await using service = await testDatabase<ServiceTables>('service')
  const clientId = await givenClient(service.db, { units: 500, overage })
  const load = { processes: 3, clients: 8, charges: 15, seed: 1 }
  const result = await hammerLedger({ db: service.db, url: service.url, clientId, ...load })
  expect(result.discrepancies).toEqual([])
  expect(result.charged + result.refused).toBe(360)
  expect(result.tasks).toBe(result.charged)
  if (overage) expect(result).toMatchObject({ refused: 0, lowestBalance: result.balance })
  else expect(result.lowestBalance).toBeGreaterThanOrEqual(0)
  if (overage) expect(result.balance).toBeLessThan(0)
  else expect(result.refused).toBeGreaterThan(0)
})
