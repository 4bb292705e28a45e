import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { quarantine } from '../warehouse/quarantine.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject } from '../warehouse/rejected-record.ts'
import { analyzeMembers } from './analyze-members.ts'
import type { DueRecord } from './due-record.ts'
import { dueOfPage } from './due-record.ts'
import { fetchRecord } from './fetch-record.ts'
import { countMissing, markGone } from './mark-gone.ts'
import type { ListPage, PulledList } from './pull-list.ts'
import { pullList } from './pull-list.ts'
import { readRecord } from './read-record.ts'
import type { Row } from './read-row.ts'
import { isRejectedRecord, readRow } from './read-row.ts'
import { COMPANY, MEMBER } from './row-shape.ts'
import { noteTaken, writeRecord } from './write-record.ts'
import { writeRows } from './write-rows.ts'

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
    const reasons = [...list.incomplete_reasons]
    if (list.incomplete_reasons.length === 0) reasons.push(...(await markMissingGone(context, list)))
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
  const { rows, rejected } = readMembers(page)
  await warehouse.db.transaction().execute(async (trx) => {
    addCounts(context.counts, await writeRows(trx, MEMBER, rows, runId))
    const untouched = due.untouched.map(({ row }) => row)
    addCounts(context.counts, await writeRows(trx, COMPANY, untouched, runId))
    await noteTaken(trx, due.untouched, runId)
    await quarantine(
      trx,
      rejected.map((record) => ({ entity: 'tal_member', reject: record })),
      runId,
    )
  })
  context.counts.quarantined += rejected.length
  return due.fetch
}

function readMembers(page: ListPage): { rows: Row[]; rejected: RejectedRecord[] } {
  const rows: Row[] = []
  const rejected = page.rejected.map((record) => reject(record, null, 'is no company with a domain'))
  for (const [domain, entry] of page.entries) {
    const row = readRow(MEMBER, { domain }, entry)
    if (isRejectedRecord(row)) rejected.push(reject(entry, domain, row.reason))
    else rows.push(row)
  }
  return { rows, rejected }
}

/** Returns why it did not mark anybody, if it did not. */
async function markMissingGone(context: RunContext, list: PulledList): Promise<string[]> {
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
  await forEachConcurrent(due, settings.concurrency, signal, async ({ domain, fingerprint }) => {
    const record = readRecord(await fetchRecord(client, domain, signal))
    addCounts(context.counts, await writeRecord(warehouse.db, record, fingerprint, context.runId))
    done += 1
    context.progress(done, due.length)
  })
}

const isMostlyNew = ({ counts: { inserted, updated, unchanged } }: RunContext): boolean =>
  inserted > updated + unchanged
