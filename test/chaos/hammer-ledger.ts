import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { currentAccount } from '../../src/units/account.ts'
import type { Discrepancy } from '../../src/units/reconcile.ts'
import { reconcileUnits } from '../../src/units/reconcile.ts'

export interface HammerOptions {
  db: Db
  url: string
  clientId: string
  processes: number
  /** Number of concurrent clients per process. */
  clients: number
  /** Number of attempted charges per client. */
  charges: number
  seed: number
  /** Whether to use bare pg instead of talhouse's code. */
  bare?: boolean
}

export interface HammerResult {
  charged: number
  refused: number
  /** Total charges and refusals per second, across all processes. */
  perSecond: number
  balance: number
  lowestBalance: number
  tasks: number
  discrepancies: Discrepancy[]
}

const PROCESSES = join(import.meta.dirname, 'processes')

/** Charges one account from many clients in several processes, and continues after the account is exhausted. */
export async function hammerLedger(options: HammerOptions): Promise<HammerResult> {
  const { db, url, clientId, processes, clients, charges, seed, bare = false } = options
  await currentAccount(db, clientId)
  const program = join(PROCESSES, bare ? 'bare-hammer.ts' : 'hammer.ts')
  const results = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const args = [program, url, clientId, String(clients), String(charges), String(seed + index)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return JSON.parse(output) as { charged: number; refused: number; seconds: number }
    }),
  )
  const { rows } = await sql<{ balance: number; lowest: number; tasks: number }>`
    select (select balance from unit_account where client_id = ${clientId}) as balance,
      (select min(balance_after) from ledger_entry where client_id = ${clientId}) as lowest,
      (select count(*) from task where client_id = ${clientId}) as tasks`.execute(db)
  const { balance = 0, lowest = 0, tasks = 0 } = rows[0] ?? {}
  return {
    charged: results.reduce((sum, one) => sum + one.charged, 0),
    refused: results.reduce((sum, one) => sum + one.refused, 0),
    perSecond: results.reduce((sum, one) => sum + (one.charged + one.refused) / one.seconds, 0),
    balance,
    lowestBalance: lowest,
    tasks,
    discrepancies: (await reconcileUnits(db)).discrepancies,
  }
}
