import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { sum } from '../lib/sum.ts'

export interface Refund {
  clientId: string
  taskId: string
  /** The items to refund, each with its cost. The ledger rejects a second refund for an item. */
  items: { item: number; units: number; reason: string }[]
}

/**
 * Refunds units in the caller's transaction with one ledger entry per item, and returns the refunded units. A refund
 * belongs to the period in which the task was charged. After that period has ended, the refund raises the balance but
 * does not change the usage of the new period.
 */
export async function refundUnits(trx: Db, { clientId, taskId, items }: Refund): Promise<number> {
  const given = items.filter(({ units }) => units > 0)
  const total = sum(given.map(({ units }) => units))
  if (total === 0) return 0
  await sql`
    with charge as (
      select period_started_at from ledger_entry
      where client_id = ${clientId} and task_id = ${taskId}::uuid and kind = 'charge' and item = 0
    ), account as (
      update unit_account a
      set balance = a.balance + ${total}::bigint,
        used_this_period = a.used_this_period
          - case when a.period_started_at = charge.period_started_at then ${total}::bigint else 0 end
      from charge
      where a.client_id = ${clientId}
      returning a.balance, charge.period_started_at
    )
    insert into ledger_entry (client_id, kind, units, balance_after, task_id, item, period_started_at, reason)
    select ${clientId}, 'refund', given.units,
      account.balance - ${total}::bigint + sum(given.units) over (order by given.item), ${taskId}::uuid, given.item,
      account.period_started_at, given.reason
    from account,
      jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (item integer, units bigint, reason text)
    order by given.item`.execute(trx)
  return total
}
