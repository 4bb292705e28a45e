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
  /** Cost of the task; 0 writes nothing. */
  units: number
}

/**
 * Charges a task to its client in one statement that checks and updates the balance and writes the ledger under one row
 * lock (`charge_units` in sql/service). Call it last in a transaction: other charges of the client wait until the
 * commit. Returns the remaining units; throws `insufficient_units`. Primary keys refuse a second charge of a task.
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

/** `required` and `available` are units. */
export function insufficientUnits(required: number, available: number): AppError {
  const message = `Insufficient units: ${required} required, ${available} available. Request less, or choose a larger plan.`
  return new AppError('insufficient_units', message)
}

/** Undefined when the balance is too low or the account's period has ended. */
async function tryCharge(trx: Db, { clientId, taskId, units }: Charge): Promise<number | undefined> {
  const { rows } = await sql<{ remaining: number | null }>`${prepared}
    select charge_units(${clientId}, ${taskId}::uuid, ${units}::bigint) as remaining`.execute(trx)
  return rows[0]?.remaining ?? undefined
}
