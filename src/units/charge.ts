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
  /** What the task costs; 0 writes nothing. */
  units: number
}

/**
 * Takes the units of a task from its client, in one statement: the balance is checked and moved, and the ledger written, under one row
 * lock (`charge_units` in sql/service). Call it last in a transaction, because every other charge of the client waits from here to the commit. Returns the units
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

/** Undefined: there are not so many units, or the account is not in the present period. */
async function tryCharge(trx: Db, { clientId, taskId, units }: Charge): Promise<number | undefined> {
  const { rows } = await sql<{ remaining: number | null }>`${prepared}
    select charge_units(${clientId}, ${taskId}::uuid, ${units}::bigint) as remaining`.execute(trx)
  return rows[0]?.remaining ?? undefined
}
