import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { keysOf } from '../walk/page.ts'
import type { Walk } from '../walk/walks.ts'
import { closeWalk, readWalk } from '../walk/walks.ts'
import type { FetchFirms } from './fetch-page.ts'
import { countMissing, countSeen, markGone, resolveQuarantine, seenAmong } from './mark-gone.ts'

/**
 * Ends a walk: is it complete, and then, who is gone? Returns the reasons why the outcome is not `ok`. A pull that is not proved complete marks
 * nobody as gone: what was pulled stays, and the next pull proves it again.
 */
export async function closeFirmWalk(context: RunContext, walkId: number, fetch: FetchFirms): Promise<string[]> {
  const { db } = context.warehouse
  const walk = await readWalk(db, walkId)
  const reasons = [...walk.incomplete_reasons, ...(await gapsIn(context, walk, fetch))]
  const quarantined = context.counts.quarantined
  if (quarantined > 0)
    reasons.push(`${quarantined} records do not fit and are in warehouse.quarantine, with the reason of each`)
  const complete = reasons.length === (quarantined > 0 ? 1 : 0)
  if (complete) {
    const held = await markMissingGone(context, walk)
    if (held) reasons.push(held)
    await resolveQuarantine(db, 'firm', walk.started_at)
  }
  await closeWalk(db, walkId)
  return reasons
}

/**
 * The proof: as many distinct keys were pulled as the service counted when the walk began, and as it counts now, those above the ceiling aside. One
 * more request.
 */
async function gapsIn(context: RunContext, walk: Walk, fetch: FetchFirms): Promise<string[]> {
  const { db } = context.warehouse
  const top = await fetch(null)
  const seen = await countSeen(db, walk.id)
  const keys = keysOf(top)
  const known = await seenAmong(db, walk.id, keys)
  const firstKnown = keys.findIndex((key) => known.has(key))
  const above = walk.ceiling === null || firstKnown === -1 ? keys.length : firstKnown
  const gaps: string[] = []
  if (walk.keyless > 0) gaps.push(`${walk.keyless} records have no usable key: whether any is missing cannot be told`)
  if (top.total === undefined || walk.total_at_start === null)
    return [...gaps, 'the service gives no total_count: completeness cannot be proved, and nobody was marked as gone']
  const now = top.total - above
  if (firstKnown === -1 && keys.length === FIRM_PAGE_MAXIMUM)
    gaps.push('a whole page of firms was added above the first one while the pull went on')
  if (seen !== walk.total_at_start || seen !== now)
    gaps.push(
      `not proved complete: ${seen} distinct firms were pulled, the service counted ${walk.total_at_start} at the start and ${now} at the end; nobody was marked as gone, and the next run looks again`,
    )
  return gaps
}

/** Marks the missing as gone, unless they are too many. Returns why it did not. */
async function markMissingGone(context: RunContext, walk: Walk): Promise<string | undefined> {
  const { db } = context.warehouse
  const { live, missing } = await countMissing(db, walk.id)
  if (missing === 0) return undefined
  const limit = context.settings.firms.max_gone_share
  if (missing / live > limit) {
    const share = Math.ceil((missing / live) * 100) / 100
    return `${missing} of ${live} firms are missing from the service, more than pipelines.firms.max_gone_share (${limit}) allows: nobody was marked as gone. If it is right, run it once with TALHOUSE_PIPELINES_FIRMS_MAX_GONE_SHARE=${share}`
  }
  context.counts.gone += await markGone(db, walk.id, context.runId, walk.data_as_of)
  return undefined
}
