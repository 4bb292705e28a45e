import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { prepared } from '../lib/prepared-statements.ts'

/** Changes to the counts of one entity. */
export interface CountChange {
  total?: number
  enriched?: number
  from_formadv?: number
}

export interface RecordCounts {
  total: number
  enriched: number
  from_formadv: number
}

/** Average number of writes between merges of the counts. */
const FOLD_ONE_IN = 100

/**
 * Records a change to the counts in the transaction that creates, enriches or erases records. Each change is a separate
 * row, so that writers do not block each other.
 */
export async function countRecords(trx: Db, entity: 'company' | 'person', change: CountChange): Promise<void> {
  const { total = 0, enriched = 0, from_formadv = 0 } = change
  if (total === 0 && enriched === 0 && from_formadv === 0) return
  await sql`${prepared}
    insert into record_count (entity, total, enriched, from_formadv)
    values (${entity}, ${total}, ${enriched}, ${from_formadv})`.execute(trx)
  if (Math.random() < 1 / FOLD_ONE_IN) await foldCounts(trx)
}

/** Replaces several rows with one row that contains their sum. Skips rows that another transaction has locked. */
export async function foldCounts(trx: Db): Promise<void> {
  await sql`
    with gone as (
      delete from record_count
      where (entity, id) in (select entity, id from record_count for update skip locked)
      returning entity, total, enriched, from_formadv
    )
    insert into record_count (entity, total, enriched, from_formadv)
    select entity, sum(total), sum(enriched), sum(from_formadv) from gone group by entity`.execute(trx)
}

/** Exact counts of companies and persons. The cost does not depend on the number of records. */
export async function readCounts(db: Db): Promise<{ companies: RecordCounts; persons: RecordCounts }> {
  const { rows } = await sql<RecordCounts & { entity: string }>`
    select entity, sum(total)::bigint as total, sum(enriched)::bigint as enriched, sum(from_formadv)::bigint as from_formadv
    from record_count group by entity`.execute(db)
  const of = (name: string): RecordCounts => {
    const { total = 0, enriched = 0, from_formadv = 0 } = rows.find(({ entity }) => entity === name) ?? {}
    return { total, enriched, from_formadv }
  }
  return { companies: of('company'), persons: of('person') }
}
