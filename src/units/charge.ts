import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { currentAccount } from './account.ts'

export interface Charge {
  clientId: string
  taskId: string
  /** What the task costs; 0 writes nothing. */
  units: number
}

/**
 * Takes the units of a task from its client, in one statement: the balance is checked and moved, and the ledger written, under one row
 * lock. Call it last in a transaction, because every other charge of the client waits from here to the commit. Returns the units
 * that remain; throws `insufficient_units` with what is required and what there is. The primary keys refuse a second charge of a task.
 */
export async function chargeUnits(trx: Db, charge: Charge): Promise<number> {
  if (charge.units === 0) return (await currentAccount(trx, charge.clientId)).balance
  const remaining = await tryCharge(trx, charge)
  if (remaining !== undefined) return remaining
  const { balance } = await currentAccount(trx, charge.clientId)
  const secondTry = await tryCharge(trx, charge)
  if (secondTry !== undefined) return secondTry
  throw insufficientUnits(charge.units, balance)
}

/** The refusal of a charge; `required` and `available` are units. */
export function insufficientUnits(required: number, available: number): AppError {
  const message = `Insufficient units: ${required} required, ${available} available. Ask for fewer, or for a larger plan.`
  return new AppError('insufficient_units', message)
}

async function tryCharge(trx: Db, { clientId, taskId, units }: Charge): Promise<number | undefined> {
  const { rows } = await sql<{ balance_after: number }>`
    with account as (
      update unit_account a
      set balance = a.balance - ${units}::bigint, used_this_period = a.used_this_period + ${units}::bigint,
        overage_allowed = c.overage_allowed
      from client c
      where c.client_id = a.client_id and a.client_id = ${clientId} and a.period_ends_at > clock_timestamp()
        and (a.balance >= ${units}::bigint or c.overage_allowed)
      returning a.balance, a.period_started_at
    )
    insert into ledger_entry (client_id, kind, units, balance_after, task_id, period_started_at)
    select ${clientId}, 'charge', -${units}::bigint, balance, ${taskId}::uuid, period_started_at
    from account
    returning balance_after`.execute(trx)
  return rows[0]?.balance_after
}
