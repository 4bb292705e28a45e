import { eachAtOnce } from './each-at-once.ts'
import { analyzeMembers } from './members/analyze-members.ts'
import type { DueRecord } from './members/due-record.ts'
import { dueOfPage } from './members/due-record.ts'
import { fetchRecord } from './members/fetch-record.ts'
import type { ListPage, PulledList } from './members/pull-list.ts'
import { pullList } from './members/pull-list.ts'
import { readRecord } from './members/read-record.ts'
import type { Row } from './members/read-row.ts'
import { isUnfit, readRow } from './members/read-row.ts'
import { COMPANY, MEMBER } from './members/row-shape.ts'
import { countMissing, markGone } from './members/settle-gone.ts'
import { noteTaken, writeRecord } from './members/write-record.ts'
import { writeRows } from './members/write-rows.ts'
import type { Pipeline, RunContext } from './pipeline.ts'
import { addCounts } from './pipeline.ts'
import type { Misfit } from './warehouse/firm-record.ts'
import { misfit } from './warehouse/firm-record.ts'
import { quarantine } from './warehouse/quarantine.ts'

/**
 * Pulls the target account list, and for each member whose record moved since it was last taken in: the company, its people, its
 * leadership and its news. A member that is no longer on the list is marked gone when the list is proved complete, and not too many are.
 */
export const talMembers: Pipeline = {
  name: 'tal-members',
  description: 'Pull the target account list, and what moved of its companies and their people',
  async run(context) {
    const due: DueRecord[] = []
    const list = await pullList(context.client, context.signal, async (page) => {
      due.push(...(await takePage(context, page)))
    })
    const reasons = [...list.doubts]
    if (list.doubts.length === 0) reasons.push(...(await settleGone(context, list)))
    await takeRecords(context, due)
    if (isMostlyNew(context)) await analyzeMembers(context.warehouse.db)
    if (context.counts.quarantined > 0)
      reasons.push(
        `${context.counts.quarantined} records do not fit and are in warehouse.quarantine, with the reason of each`,
      )
    return { reasons }
  },
}

/** Writes a page of the list, with the records that need no request of their own. Returns those that do. */
async function takePage(context: RunContext, page: ListPage): Promise<DueRecord[]> {
  const { warehouse, clock, settings, runId } = context
  const due = await dueOfPage(warehouse.db, page, clock.now(), settings.members.full_pull_days)
  const { rows, misfits } = readMembers(page)
  await warehouse.db.transaction().execute(async (trx) => {
    addCounts(context.counts, await writeRows(trx, MEMBER, rows, runId))
    const untouched = due.untouched.map(({ row }) => row)
    addCounts(context.counts, await writeRows(trx, COMPANY, untouched, runId))
    await noteTaken(trx, due.untouched, runId)
    await quarantine(
      trx,
      misfits.map((record) => ({ entity: 'tal_member', misfit: record })),
      runId,
    )
  })
  context.counts.quarantined += misfits.length
  return due.fetch
}

function readMembers(page: ListPage): { rows: Row[]; misfits: Misfit[] } {
  const rows: Row[] = []
  const misfits = page.misfits.map((record) => misfit(record, null, 'is no company with a domain'))
  for (const [domain, entry] of page.entries) {
    const row = readRow(MEMBER, { domain }, entry)
    if (isUnfit(row)) misfits.push(misfit(entry, domain, row.reason))
    else rows.push(row)
  }
  return { rows, misfits }
}

/** Returns why it did not mark anybody, if it did not. */
async function settleGone(context: RunContext, list: PulledList): Promise<string[]> {
  const { db } = context.warehouse
  const present = [...list.domains]
  const { live, missing } = await countMissing(db, present)
  const limit = context.settings.members.max_gone_share
  if (missing === 0) return []
  if (missing / live > limit) {
    const share = Math.ceil((missing / live) * 100) / 100
    return [
      `${missing} of ${live} members are no longer on the list, more than pipelines.members.max_gone_share (${limit}) allows: nobody was marked as gone. If it is right, run it once with TALHOUSE_PIPELINES_MEMBERS_MAX_GONE_SHARE=${share}`,
    ]
  }
  context.counts.gone += await markGone(db, present, context.runId)
  return []
}

async function takeRecords(context: RunContext, due: readonly DueRecord[]): Promise<void> {
  const { client, settings, signal, warehouse } = context
  let done = 0
  context.progress(0, due.length)
  await eachAtOnce(due, settings.concurrency, signal, async ({ domain, stamp }) => {
    const record = readRecord(await fetchRecord(client, domain, signal))
    addCounts(context.counts, await writeRecord(warehouse.db, record, stamp, context.runId))
    done += 1
    context.progress(done, due.length)
  })
}

const isMostlyNew = ({ counts: { inserted, updated, unchanged } }: RunContext): boolean =>
  inserted > updated + unchanged
