import { sql } from 'kysely'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { goneShareReason } from '../warehouse/gone-share.ts'
import { countUnresolved, quarantine, resolveRejected } from '../warehouse/quarantine.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject, rejectedReason } from '../warehouse/rejected-record.ts'
import { analyzeMembers } from './analyze-members.ts'
import type { DueRecord } from './due-record.ts'
import { selectDue } from './due-record.ts'
import { countMissing, markGone } from './mark-gone.ts'
import type { ListPage, PulledList } from './pull-list.ts'
import { pullList } from './pull-list.ts'
import { recordPuller } from './pull-record.ts'
import { saveRawMembers } from './raw-member.ts'
import type { Row } from './read-row.ts'
import { isRejectedRecord, readRow } from './read-row.ts'
import { deleteExpired } from './remove-persons.ts'
import { COMPANY, MEMBER } from './row-shape.ts'
import { saveMemberState } from './write-record.ts'
import { writeRows } from './write-rows.ts'

/**
 * Pulls the target account list, and the company, people, leadership and signals of each changed member. If the list is
 * verified to be complete, marks members that are no longer on it as gone, unless their share exceeds `max_gone_share`.
 */
export const talMembers: Pipeline = {
  name: 'tal-members',
  description: 'Pull the target account list and its changed companies and people',
  async run(context) {
    const { db } = context.warehouse
    const due: DueRecord[] = []
    if (!context.settings.keep_raw) await db.deleteFrom('sync.raw_record').execute()
    const host = await Host.open(context)
    const list = await pullList({ ...context, host }, async (page) => {
      due.push(...(await writeListPage(context, page)))
    })
    const reasons = [...list.incomplete_reasons]
    if (list.incomplete_reasons.length === 0) reasons.push(...(await markMissingGone(context, list)))
    // Skips members that left between two pulls of the list. Writing their records would mark them as live again.
    const staying = due.filter(({ domain }) => list.incomplete_reasons.length > 0 || list.domains.has(domain))
    reasons.push(...(await pullRecords(context, host, staying)))
    await resolveReadable(context, list)
    context.counts.gone += await deleteExpired(
      db,
      await context.clock.now(),
      context.settings.members.former_people_days,
    )
    if (isMostlyNew(context)) await analyzeMembers(db)
    const rejected = await countUnresolved(db, [
      'tal_member',
      'company',
      'person',
      'signal',
      'company_provenance',
      'person_provenance',
    ])
    if (rejected > 0) reasons.push(rejectedReason(rejected, 'record'))
    return { reasons: [...reasons, ...host.driftReasons()] }
  },
}

/** Writes a page of the list. Returns the members whose records must be fetched. */
async function writeListPage(context: RunContext, page: ListPage): Promise<DueRecord[]> {
  const { warehouse, clock, settings, runId } = context
  const due = await selectDue(warehouse.db, page, await clock.now(), settings.members.full_pull_days)
  const { rows, rejected } = readMembers(page)
  await warehouse.db.transaction().execute(async (trx) => {
    addCounts(context.counts, await writeRows(trx, MEMBER, rows, runId))
    const untouched = due.untouched.map(({ row }) => row)
    addCounts(context.counts, await writeRows(trx, COMPANY, untouched, runId))
    await saveMemberState(trx, due.untouched, runId)
    if (settings.keep_raw) await saveRawMembers(trx, due.untouched, runId)
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
  const rejected = page.rejected.map((record) => reject(record, null, 'has no usable domain'))
  for (const [domain, entry] of page.entries) {
    const row = readRow(MEMBER, { domain }, entry.member)
    if (isRejectedRecord(row)) rejected.push(reject(entry.raw, domain, row.reason))
    else rows.push(row)
  }
  return { rows, rejected }
}

/** Resolves earlier rejections of list entries that this run could read, and of members that are gone. */
async function resolveReadable({ warehouse: { db }, runId }: RunContext, list: PulledList): Promise<void> {
  await resolveRejected(db, ['tal_member'], [...list.domains], runId)
  if (list.incomplete_reasons.length > 0) return
  await sql`
    update warehouse.quarantine set resolved_at = now()
    where resolved_at is null and run_id <> ${runId} and entity in ('tal_member', 'company', 'person', 'signal', 'company_provenance', 'person_provenance')
      and not exists (select from warehouse.tal_member where domain = split_part(key, ' / ', 1) and gone_at is null)
  `.execute(db)
}

/** Marks missing members as gone. If their share exceeds the limit, marks none and returns the reason. */
async function markMissingGone(context: RunContext, list: PulledList): Promise<string[]> {
  const { db } = context.warehouse
  const present = [...list.domains]
  const found = await countMissing(db, present)
  if (found.missing === 0) return []
  const reason = goneShareReason(found, {
    noun: 'members',
    setting: 'pipelines.members.max_gone_share',
    limit: context.settings.members.max_gone_share,
  })
  if (reason) return [reason]
  context.counts.gone += await markGone(db, present, context.runId)
  return []
}

/** Fetches and writes the records. Returns the reason why people may be missing, if any. */
async function pullRecords(context: RunContext, host: Host, due: readonly DueRecord[]): Promise<string[]> {
  const { settings, signal } = context
  const incomplete: string[] = []
  let done = 0
  context.progress(0, due.length)
  const pull = recordPuller(context, host)
  await forEachConcurrent(due, settings.concurrency, signal, async (member) => {
    const reason = await pull(member)
    if (reason) incomplete.push(reason)
    done += 1
    context.progress(done, due.length)
  })
  const [first] = incomplete.toSorted()
  if (first === undefined) return []
  return [
    `the lists of people at ${pluralize(incomplete.length, 'company', 'companies')} may be incomplete, so missing people were kept: ${first}`,
  ]
}

const isMostlyNew = ({ counts: { inserted, updated, unchanged } }: RunContext): boolean =>
  inserted > updated + unchanged
