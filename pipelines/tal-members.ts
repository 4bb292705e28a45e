import { eachAtOnce } from './each-at-once.ts'
import { fetchRecord } from './members/fetch-record.ts'
import type { PulledList } from './members/pull-list.ts'
import { pullList } from './members/pull-list.ts'
import { readRecord } from './members/read-record.ts'
import type { Row } from './members/read-row.ts'
import { isUnfit, readRow } from './members/read-row.ts'
import { MEMBER } from './members/row-shape.ts'
import { countMissing, markGone } from './members/settle-gone.ts'
import { stampOf } from './members/stamp.ts'
import { writeRecord } from './members/write-record.ts'
import type { Written } from './members/write-rows.ts'
import { writeRows } from './members/write-rows.ts'
import type { Pipeline, RunContext } from './pipeline.ts'
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
    const list = await pullList(context.client, context.signal)
    await takeMembers(context, list)
    const reasons = [...list.doubts]
    if (list.doubts.length === 0) reasons.push(...(await settleGone(context, list)))
    await takeRecords(context, list)
    if (context.counts.quarantined > 0)
      reasons.push(
        `${context.counts.quarantined} records do not fit and are in warehouse.quarantine, with the reason of each`,
      )
    return { reasons }
  },
}

async function takeMembers(context: RunContext, list: PulledList): Promise<void> {
  const { db } = context.warehouse
  const rows: Row[] = []
  const misfits = list.misfits.map((record) => misfit(record, null, 'is no company with a domain'))
  for (const [domain, entry] of list.members) {
    const row = readRow(MEMBER, { domain }, entry)
    if (isUnfit(row)) misfits.push(misfit(entry, domain, row.reason))
    else rows.push(row)
  }
  await db.transaction().execute(async (trx) => {
    add(context, await writeRows(trx, MEMBER, rows, context.runId))
    await quarantine(
      trx,
      misfits.map((record) => ({ entity: 'tal_member', misfit: record })),
      context.runId,
    )
    context.counts.quarantined += misfits.length
  })
}

/** Returns why it did not mark anybody, if it did not. */
async function settleGone(context: RunContext, list: PulledList): Promise<string[]> {
  const { db } = context.warehouse
  const present = [...list.members.keys()]
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

/** Fetches the records that moved, and all that were last fetched too long ago: a list's word is not proof. */
async function takeRecords(context: RunContext, list: PulledList): Promise<void> {
  const { db } = context.warehouse
  const oldest = new Date(
    context.clock.now().getTime() - context.settings.members.full_pull_days * 86_400_000,
  ).toISOString()
  const states = await db.selectFrom('sync.member_state').select(['domain', 'stamp', 'fetched_at']).execute()
  const known = new Map(states.map((state) => [state.domain, state]))
  const moved = [...list.members].filter(([domain, entry]) => {
    const state = known.get(domain)
    const stamp = stampOf(entry)
    return !state || stamp === null || state.stamp !== stamp || state.fetched_at < oldest
  })
  let done = 0
  context.progress(0, moved.length)
  await eachAtOnce(moved, context.settings.concurrency, context.signal, async ([domain, entry]) => {
    const record = readRecord(await fetchRecord(context.client, domain, context.signal))
    const written = await writeRecord(db, record, stampOf(entry), context.runId)
    add(context, written)
    context.counts.quarantined += written.quarantined
    done += 1
    context.progress(done, moved.length)
  })
}

function add(context: RunContext, { inserted, updated, unchanged }: Written): void {
  context.counts.inserted += inserted
  context.counts.updated += updated
  context.counts.unchanged += unchanged
}
