import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'

/** A client's balance and current period. Times are ISO 8601 in UTC with six decimals. */
export interface Account {
  balance: number
  used_this_period: number
  period_started_at: string
  period_ends_at: string
  plan: string
  units_per_period: number
  overage_allowed: boolean
}

/**
 * Returns the client's account. Opens the account on first use, and moves it to the current period if its period has
 * ended, so that the account does not depend on a scheduler. Throws `not_found` for an unknown client.
 */
export async function currentAccount(db: Db, clientId: string): Promise<Account> {
  const stored = await readAccount(db, clientId)
  if (stored?.current) return stored.account
  await openAccount(db, clientId)
  await startPeriod(db, clientId)
  const moved = await readAccount(db, clientId)
  if (!moved)
    throw new AppError('not_found', `Client ${clientId} not found. List clients with \`talhouse clients list\`.`)
  return moved.account
}

async function readAccount(db: Db, clientId: string): Promise<{ account: Account; current: boolean } | undefined> {
  const { rows } = await sql<Account & { current: boolean }>`
    select a.balance, a.used_this_period, a.period_started_at, a.period_ends_at,
      c.plan, c.units_per_period, c.overage_allowed, a.period_ends_at > clock_timestamp() as current
    from unit_account a join client c using (client_id)
    where a.client_id = ${clientId}`.execute(db)
  if (!rows[0]) return undefined
  const { current, ...account } = rows[0]
  return { account, current }
}

/**
 * The current period, counted in whole periods from the anchor. If months were added one by one, an anchor on January
 * 31 would drift to the 28th.
 */
const presentPeriod = (anchor: ReturnType<typeof sql>) => sql`
  cross join lateral (select ${anchor} as anchor) as counted
  cross join lateral (
    select anchor + (number - 1) * c.period as started_at, anchor + number * c.period as ends_at
    from generate_series(1, 2 + ceil(extract(epoch from clock_timestamp() - anchor) / 86400)::int) as number
    where anchor + number * c.period > clock_timestamp()
    order by number limit 1
  ) as present`

/**
 * A change to a client's period length takes effect at the end of the current period, which becomes the new anchor. If
 * periods were counted from the client's creation, a longer period could start in the past. Periods are compared as
 * text, because the intervals `30 days` and `1 month` are equal.
 */
const nextAnchor = sql`case when a.period::text = c.period::text then a.period_anchor else a.period_ends_at end`

async function openAccount(db: Db, clientId: string): Promise<void> {
  await sql`
    with opened as (
      insert into unit_account (client_id, balance, overage_allowed, period_started_at, period_ends_at, period, period_anchor)
      select c.client_id, c.units_per_period, c.overage_allowed, present.started_at, present.ends_at, c.period, anchor
      from client c ${presentPeriod(sql`c.created_at`)}
      where c.client_id = ${clientId}
      on conflict (client_id) do nothing
      returning *
    )
    insert into ledger_entry (client_id, kind, units, balance_after, period_started_at, reason)
    select client_id, 'period_start', balance, balance, period_started_at, 'first period'
    from opened`.execute(db)
}

/**
 * Starts the current period for one client, or for all clients whose period has ended. Unused plan units expire, unused
 * granted units carry over, and overage is written off. Returns the number of accounts that were moved to a new period.
 */
export async function startPeriod(db: Db, clientId?: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with due as materialized (
      select a.client_id, a.balance, least(greatest(a.balance, 0), a.granted) as carried, c.units_per_period,
        c.overage_allowed, present.started_at, present.ends_at, c.period, anchor
      from unit_account a join client c using (client_id) ${presentPeriod(nextAnchor)}
      where a.period_ends_at <= clock_timestamp() ${clientId === undefined ? sql`` : sql`and a.client_id = ${clientId}`}
      order by a.client_id
      for update of a
    ), moved as (
      update unit_account a
      set balance = due.units_per_period + due.carried, granted = due.carried, used_this_period = 0,
        overage_allowed = due.overage_allowed, period_started_at = due.started_at, period_ends_at = due.ends_at,
        period = due.period, period_anchor = due.anchor
      from due
      where a.client_id = due.client_id
      returning a.client_id, a.balance, a.period_started_at, a.balance - due.balance as units, due.carried
    )
    insert into ledger_entry (client_id, kind, units, balance_after, period_started_at, reason)
    select client_id, 'period_start', units, balance, period_started_at,
      'plan units' || case when carried > 0 then ', ' || carried || ' granted units carried over' else '' end
    from moved`.execute(db)
  return Number(numAffectedRows ?? 0)
}
