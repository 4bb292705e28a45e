import { eachAtOnce } from '../each-at-once.ts'
import { fetchRecord } from '../members/fetch-record.ts'
import { pullList } from '../members/pull-list.ts'
import { readRecord } from '../members/read-record.ts'
import type { Raw, Row } from '../members/read-row.ts'
import { isUnfit, readRow } from '../members/read-row.ts'
import { MEMBER } from '../members/row-shape.ts'
import { markGone } from '../members/settle-gone.ts'
import { stampOf } from '../members/stamp.ts'
import { writeRecord } from '../members/write-record.ts'
import { writeRows } from '../members/write-rows.ts'
import type { RunContext } from '../pipeline.ts'
import { addCounts } from '../pipeline.ts'
import type { Difference } from './difference.ts'

/** Fetches the members that were named: the list, and two requests for each of them that is on it. */
export async function repairMembers(context: RunContext, differences: readonly Difference[]): Promise<string[]> {
  const { db } = context.warehouse
  const named = new Set(differences.map(({ key }) => key))
  const entries = new Map<string, Raw>()
  const list = await pullList(context.client, context.signal, async (page) => {
    for (const [domain, entry] of page.entries) if (named.has(domain)) entries.set(domain, entry)
  })
  const onList = [...entries.keys()]
  const gone = [...named.difference(entries)]
  const rows = [...entries].map(([domain, entry]) => readRow(MEMBER, { domain }, entry))
  await distrust(context, onList)
  addCounts(
    context.counts,
    await writeRows(
      db,
      MEMBER,
      rows.filter((row): row is Row => !isUnfit(row)),
      context.runId,
    ),
  )
  await eachAtOnce(entries, context.settings.concurrency, context.signal, async ([domain, entry]) => {
    const record = readRecord(await fetchRecord(context.client, domain, context.signal))
    addCounts(context.counts, await writeRecord(db, record, stampOf(entry), context.runId))
  })
  if (gone.length === 0) return []
  if (list.doubts.length > 0) return [`${gone.length} members were left as they are: ${list.doubts.join('; ')}`]
  const standing = await db.selectFrom('warehouse.tal_member').select('domain').where('gone_at', 'is', null).execute()
  const staying = standing.map(({ domain }) => domain).filter((domain) => !gone.includes(domain))
  context.counts.gone += await markGone(db, staying, context.runId)
  return []
}

/** Their cells are not what their hashes say: without the hash every row is written again. */
async function distrust({ warehouse: { db } }: RunContext, domains: readonly string[]): Promise<void> {
  const none = { row_hash: '' }
  if (domains.length === 0) return
  const of = [...domains]
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('warehouse.tal_member').set(none).where('domain', 'in', of).execute()
    await trx.updateTable('warehouse.company').set(none).where('domain', 'in', of).execute()
    await trx.updateTable('warehouse.person').set(none).where('company_domain', 'in', of).execute()
    await trx.updateTable('warehouse.signal').set(none).where('company_domain', 'in', of).execute()
  })
}
