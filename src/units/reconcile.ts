import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** One inconsistency in the ledger. */
export interface Discrepancy {
  client_id: string
  check: string
  /** The affected task, if any. */
  task_id: string | null
  expected: number
  found: number
}

export interface Reconciliation {
  accounts: number
  entries: number
  tasks: number
  discrepancies: Discrepancy[]
}

/**
 * Reconciles the ledger in one read-only snapshot. Balances must equal the sum of entries, running balances must add
 * up, a period's usage must equal its charges minus its refunds, and every charge and refund must match its task and
 * items.
 */
export async function reconcileUnits(db: Db): Promise<Reconciliation> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const counts = await sql<{ accounts: number; entries: number; tasks: number }>`
        select (select count(*) from unit_account) as accounts, (select count(*) from ledger_entry) as entries,
          (select count(*) from task) as tasks`.execute(trx)
      const { rows } = await sql<Discrepancy>`
        ${balances} union all ${runningBalances} union all ${periods} union all ${charges} union all ${items}
        order by 1, 2, 3`.execute(trx)
      return { ...(counts.rows[0] as (typeof counts.rows)[0]), discrepancies: rows }
    })
}

const balances = sql`
  select coalesce(a.client_id, e.client_id) as client_id, 'balance equals the sum of ledger entries' as check, null::uuid as task_id,
    coalesce(e.units, 0) as expected, coalesce(a.balance, 0) as found
  from unit_account a
  full join (select client_id, sum(units) as units from ledger_entry group by client_id) e using (client_id)
  where a.balance is distinct from e.units`

const runningBalances = sql`
  select client_id, 'balance after entry ' || entry_id || ' equals the sum up to it', task_id, running, balance_after
  from (
    select *, sum(units) over (partition by client_id order by entry_id) as running from ledger_entry
  ) as entry
  where running <> balance_after`

const periods = sql`
  select a.client_id, 'use of the period equals its charges and refunds', null, coalesce(-sum(e.units), 0),
    a.used_this_period
  from unit_account a
  left join ledger_entry e on e.client_id = a.client_id and e.period_started_at = a.period_started_at
    and e.kind in ('charge', 'refund')
  group by a.client_id, a.used_this_period
  having coalesce(-sum(e.units), 0) <> a.used_this_period`

const charges = sql`
  select coalesce(t.client_id, e.client_id), 'ledger and task agree on ' || coalesce(e.kind, t.kind),
    coalesce(t.task_id, e.task_id), coalesce(t.units, 0), coalesce(e.units, 0)
  from (
    select client_id, task_id, kind, sum(units) as units from ledger_entry
    where kind in ('charge', 'refund') group by client_id, task_id, kind
  ) as e
  full join (
    select client_id, task_id, 'charge' as kind, -units_charged as units from task where units_charged > 0
    union all select client_id, task_id, 'refund', units_refunded from task where units_refunded > 0
  ) as t using (client_id, task_id, kind)
  where e.units is distinct from t.units`

const items = sql`
  select t.client_id, 'costs of the task''s items equal its charge', t.task_id, coalesce(sum(i.cost), 0), t.units_charged
  from task t left join task_item i using (client_id, task_id)
  group by t.client_id, t.task_id, t.units_charged
  having coalesce(sum(i.cost), 0) <> t.units_charged`
