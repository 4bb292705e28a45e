import type { Usage } from '../contract/usage.ts'
import type { Db } from '../db/database.ts'
import { currentAccount } from '../units/account.ts'

/** Returns a client's balance and usage. Throws `not_found` for an unknown client. */
export async function readUsage(db: Db, clientId: string): Promise<Usage> {
  const account = await currentAccount(db, clientId)
  return {
    plan: account.plan,
    units_remaining: account.balance,
    units_used_this_period: account.used_this_period,
    period_started_at: account.period_started_at,
    period_ends_at: account.period_ends_at,
    overage_allowed: account.overage_allowed,
  }
}
