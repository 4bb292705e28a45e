/**
 * `npm run chaos -- ledger`: 66 clients in 3 processes charge an account until it is exhausted, an account with
 * overage, and an account that is never exhausted. Rounds with the last account alternate with bare pg (one statement
 * per charge) for comparison. Takes about a minute.
 */
import { givenClient } from '../helpers/clients.ts'
import { openChaosDatabase } from './chaos-database.ts'
import type { HammerResult } from './hammer-ledger.ts'
import { hammerLedger } from './hammer-ledger.ts'

await using chaos = await openChaosDatabase()
const { db } = chaos.service
const load = { db, url: chaos.url, processes: 3, clients: 22, charges: 100 }

async function hammer(
  title: string,
  { units, overage = false, bare = false }: { units: number; overage?: boolean; bare?: boolean },
): Promise<HammerResult> {
  const clientId = await givenClient(db, { units, overage })
  const result = await hammerLedger({ ...load, clientId, bare, seed: 20_261_121 })
  const { discrepancies, perSecond, ...counts } = result
  console.log(title, { ...counts, perSecond: Math.round(perSecond), drift: discrepancies.length })
  const below = result.lowestBalance < 0
  if (discrepancies.length > 0 || result.tasks !== result.charged || (below && !overage)) process.exitCode = 1
  return result
}

await hammer('until it is empty', { units: 12_000 })
await hammer('with overage', { units: 100, overage: true })
const turns: { charges: number; bare: number; ratio: number }[] = []
for (let turn = 0; turn < 4; turn += 1) {
  const charges = (await hammer('never exhausted', { units: 1_000_000 })).perSecond
  const bare = (await hammer('never exhausted, bare pg', { units: 1_000_000, bare: true })).perSecond
  turns.push({ charges: Math.round(charges), bare: Math.round(bare), ratio: Math.round((charges / bare) * 100) / 100 })
}
console.table(turns)
