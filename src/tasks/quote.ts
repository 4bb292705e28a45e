import type { Db } from '../db/database.ts'
import { sum } from '../lib/sum.ts'
import { currentAccount } from '../units/account.ts'
import type { TaskPlan } from './submit.ts'

export interface Quote {
  units_required: number
  units_remaining: number
  /** Whether the balance, or overage, covers the request. */
  is_covered: boolean
  overage_allowed: boolean
  message: string
}

/** Returns what a submission with this plan would cost now. Charges nothing and creates no task. */
export async function quoteTask(db: Db, clientId: string, plan: (trx: Db) => Promise<TaskPlan>): Promise<Quote> {
  const [{ items, message }, account] = await Promise.all([plan(db), currentAccount(db, clientId)])
  const units = sum(items.map(({ cost }) => cost))
  return {
    units_required: units,
    units_remaining: account.balance,
    is_covered: account.overage_allowed || units <= account.balance,
    overage_allowed: account.overage_allowed,
    message,
  }
}
