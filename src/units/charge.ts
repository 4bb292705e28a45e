import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { currentAccount } from './account.ts'

declare module '../lib/errors.ts' {
  interface ErrorCodes {
    insufficient_units: true
  }
}

export interface Charge {
  clientId: string
  taskId: string
  /** Cost of the task. No entry is written for 0 units. */
  units: number
}

/**
 * Charges a task to its client and returns the remaining units. One statement checks and updates the balance and writes
 * the ledger under one row lock (`charge_units` in sql/service). Call this last in a transaction, because it blocks the
 * client's other charges until the commit. Throws `insufficient_units`. Primary keys prevent a second charge for a
 * task.
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

/** The error for a request that costs more units than are available. */
export function insufficientUnits(required: number, available: number): AppError {
  const message = `Insufficient units: ${required} required, ${available} available. Reduce the request or choose a larger plan.`
  return new AppError('insufficient_units', message)
}

/** Charges the units. Returns undefined if the balance is too low or the account's period has ended. */
async function tryCharge(trx: Db, { clientId, taskId, units }: Charge): Promise<number | undefined> {
  const { rows } = await sql<{ remaining: number | null }>`${prepared}
    select charge_units(${clientId}, ${taskId}::uuid, ${units}::bigint) as remaining`.execute(trx)
  return rows[0]?.remaining ?? undefined
}
