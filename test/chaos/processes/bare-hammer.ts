/**
 * Runs the ledger load with bare pg: one autocommitted statement per charge (account, task, item and ledger entry).
 * Prints its counts as JSON.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const [url = '', clientId = '', clients = '1', charges = '1'] = process.argv.slice(2)
const CHARGE = `
  with account as (
    update unit_account set balance = balance - $2, used_this_period = used_this_period + $2
    where client_id = $1 and balance >= $2
    returning balance, period_started_at
  ), parent as (
    insert into task (client_id, task_id, task_type, input, units_charged, items_total)
    select $1, $3::uuid, 'enrich_company', '{}', $2, 1 from account
  ), child as (
    insert into task_item (client_id, task_id, item, entity, groups, domain, cost)
    select $1, $3::uuid, 1, 'company', '{company}', 'hammer.example', $2 from account
  )
  insert into ledger_entry (client_id, kind, units, balance_after, task_id, period_started_at)
  select $1, 'charge', -$2::bigint, balance, $3::uuid, period_started_at from account`

const pool = new pg.Pool({ connectionString: url, max: Number(clients) })
const lanes = Array.from({ length: Number(clients) })
await Promise.all(lanes.map(() => pool.query('select pg_sleep(0.1)')))
let [charged, refused] = [0, 0]
const started = performance.now()
await Promise.all(
  lanes.map(async () => {
    for (let done = 0; done < Number(charges); done += 1) {
      const { rowCount } = await pool.query(CHARGE, [clientId, 1, randomUUID()])
      if (rowCount === 1) charged += 1
      else refused += 1
    }
  }),
)
const seconds = (performance.now() - started) / 1000
await pool.end()
process.stdout.write(`${JSON.stringify({ charged, refused, seconds })}\n`)
