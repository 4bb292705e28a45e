import { sql } from 'kysely'
import type { LedgerLine, LedgerLinePage, LedgerLineQuery } from '../contract/usage.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Reads the client's ledger lines after a position, oldest first. A client's entries become visible in the order of
 * their IDs, so a reader that continues after the last line does not miss an entry. Throws `not_found` for an unknown
 * client.
 */
export async function readLedgerLines(db: Db, clientId: string, query: LedgerLineQuery): Promise<LedgerLinePage> {
  const { rows } = await sql<Pick<LedgerLinePage, 'ledger_id'>>`
    select left(encode(sha256(convert_to(client_id || ' ' || extract(epoch from created_at), 'UTF8')), 'hex'), 16) as ledger_id
    from client where client_id = ${clientId}`.execute(db)
  const [ledger] = rows
  if (!ledger) throw new AppError('not_found', `Client ${clientId} does not exist`)
  return { ...ledger, lines: await linesAfter(db, clientId, query), limit: query.limit }
}

/** Reads at most `limit` entries, and reads items only for the entries that the page needs. */
async function linesAfter(
  db: Db,
  clientId: string,
  { after_entry: entry, after_item: item, limit }: LedgerLineQuery,
): Promise<LedgerLine[]> {
  const { rows } = await sql<LedgerLine>`
    with upcoming as (
      select ledger.*, task_type,
        case when kind <> 'charge' then 1 when entry_id = ${entry} then greatest(0, items_total - ${item}::integer) else items_total end as items
      from (
        select * from ledger_entry where client_id = ${clientId} and entry_id >= ${entry} order by entry_id limit ${limit + 1}
      ) as ledger
      left join task using (client_id, task_id)
    ),
    counted as (
      select *, coalesce(sum(items) over (order by entry_id rows between unbounded preceding and 1 preceding), 0) as items_before
      from upcoming
    )
    select entry_id, coalesce(part.item, ledger.item) as item, kind,
      case when kind = 'charge' and part.item is not null then -part.cost else ledger.units end as units,
      ledger.task_id, task_type, part.entity, part.domain,
      coalesce(part.groups, '{}') as groups, ledger.reason, ledger.created_at
    from counted as ledger
    left join task_item as part on part.client_id = ledger.client_id and part.task_id = ledger.task_id
      and case kind when 'charge' then part.cost > 0 else part.item = ledger.item end
    where items_before < ${limit} and (entry_id, coalesce(part.item, ledger.item)) > (${entry}, ${item})
    order by 1, 2 limit ${limit}`.execute(db)
  return rows
}
