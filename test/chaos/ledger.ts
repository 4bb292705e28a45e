/** `npm run chaos:ledger`: 64 clients in 3 processes charge one account until it is empty, and another far below zero. */
import { givenClient } from '../helpers/clients.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { hammerLedger } from './hammer-ledger.ts'

await using chaos = await openChaosDatabase()
const { db } = chaos.service
for (const [units, overage] of [
  [12_000, false],
  [100, true],
  [1_000_000, false],
] as const) {
  const clientId = await givenClient(db, { units, overage })
  const load = { processes: 3, clients: 22, charges: 100, seed: 20_261_121 }
  const { discrepancies, ...result } = await hammerLedger({ db, url: chaos.url, clientId, ...load })
  console.log({ units, overage, ...result, drift: discrepancies.length })
  const below = result.lowestBalance < 0
  if (discrepancies.length > 0 || result.tasks !== result.charged || (below && !overage)) process.exitCode = 1
}
