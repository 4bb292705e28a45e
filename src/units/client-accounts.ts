import type { Client } from '../auth/clients.ts'
import { findClient, listClients } from '../auth/clients.ts'
import type { Db } from '../db/database.ts'
import { currentAccount, startPeriod } from './account.ts'

export interface ClientAccount extends Client {
  units_remaining: number
  units_used_this_period: number
}

/**
 * Lists all clients with their balances, ordered by ID. For a client that has not used units yet, the balance is the
 * plan's units per period.
 */
export async function listClientAccounts(db: Db): Promise<ClientAccount[]> {
  await startPeriod(db)
  const [clients, accounts] = await Promise.all([
    listClients(db),
    db.selectFrom('unit_account').select(['client_id', 'balance', 'used_this_period']).execute(),
  ])
  const byId = new Map(accounts.map((account) => [account.client_id, account]))
  return clients.map((client) => {
    const account = byId.get(client.client_id)
    return {
      ...client,
      units_remaining: account?.balance ?? client.units_per_period,
      units_used_this_period: account?.used_this_period ?? 0,
    }
  })
}

/** A client with its balance. Throws `not_found`. */
export async function readClientAccount(db: Db, clientId: string): Promise<ClientAccount> {
  const client = await findClient(db, clientId)
  const { balance, used_this_period } = await currentAccount(db, clientId)
  return { ...client, units_remaining: balance, units_used_this_period: used_this_period }
}
