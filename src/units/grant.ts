import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { AppError } from '../lib/errors.ts'
import { currentAccount } from './account.ts'

/**
 * Grants units in addition to the plan; a negative number withdraws granted units. Granted units are used after the
 * plan's units and do not expire with the period. Returns the new balance. Throws `not_found` for an unknown client,
 * and `unprocessable` for 0 units or if too few granted units are left.
 */
export async function grantUnits(
  db: Db,
  { clientId, units, reason }: { clientId: string; units: number; reason: string },
): Promise<number> {
  if (units === 0) throw new AppError('unprocessable', 'A grant must not be 0 units.')
  return await inTransaction(db, async (trx) => {
    await currentAccount(trx, clientId)
    const { rows } = await sql<{ balance_after: number }>`
      with account as (
        update unit_account
        set balance = balance + ${units}::bigint, granted = granted + ${units}::bigint
        where client_id = ${clientId} and granted + ${units}::bigint >= 0 and (${units}::bigint > 0 or balance + ${units}::bigint >= 0)
        returning client_id, balance, period_started_at
      )
      insert into ledger_entry (client_id, kind, units, balance_after, period_started_at, reason)
      select client_id, 'grant', ${units}::bigint, balance, period_started_at, ${reason}
      from account
      returning balance_after`.execute(trx)
    if (rows[0]) return rows[0].balance_after
    throw new AppError('unprocessable', `Cannot withdraw ${-units} units, because fewer granted units are left.`)
  })
}
