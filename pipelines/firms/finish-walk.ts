import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import type { RunContext } from '../runner/pipeline.ts'
import type { Page } from '../walk/page.ts'
import { keysOf } from '../walk/page.ts'
import type { Walk } from '../walk/walks.ts'
import { closeWalk, dropVersion, readWalk } from '../walk/walks.ts'
import { goneShareReason } from '../warehouse/gone-share.ts'
import { countUnresolved, resolveUnseen } from '../warehouse/quarantine.ts'
import { rejectedReason } from '../warehouse/rejected-record.ts'
import { extendCoverage } from './coverage.ts'
import type { FetchFirms, FirmRecord } from './fetch-page.ts'
import { countMissing, countSeen, hasEarlierFirms, markGone, seenAmong } from './mark-gone.ts'

/**
 * Closes a walk. If the walk is verified to be complete, marks the firms that the service no longer returns as gone.
 * After an incomplete walk, marks no firm as gone, and the next run checks again. Returns the reasons that the outcome
 * is not `ok`.
 */
export async function finishFirmWalk(context: RunContext, walkId: number, fetch: FetchFirms): Promise<string[]> {
  const { db } = context.warehouse
  const walk = await readWalk(db, walkId)
  const top = await fetch(null)
  const reasons = [...walk.incomplete_reasons, ...(await gapsIn(context, walk, top))]
  if (reasons.length === 0) {
    const held = await markMissingGone(context, walk)
    if (held) reasons.push(held)
    await resolveUnseen(db, 'firm', walk.started_at)
  }
  // The count includes records that an earlier run of the same walk rejected.
  const rejected = await countUnresolved(db, ['firm'])
  if (rejected > 0) reasons.push(rejectedReason(rejected, 'record'))
  if (reasons.length === 0) await extendCoverage(db, walk, context.runId)
  if (reasons.length > 0 || top.version !== walk.data_version) await dropVersion(db, walkId)
  await closeWalk(db, walkId)
  return reasons
}

/**
 * Verifies completeness by the first page, requested again after the last page. The number of distinct keys must equal
 * both the service's total at the start of the walk and its current total minus the keys added above the ceiling.
 * Returns the reasons that completeness could not be verified.
 */
async function gapsIn(context: RunContext, walk: Walk, top: Page<FirmRecord>): Promise<string[]> {
  const { db } = context.warehouse
  const seen = await countSeen(db, walk.id)
  const keys = keysOf(top)
  const known = await seenAmong(db, walk.id, keys)
  const firstKnown = keys.findIndex((key) => known.has(key))
  const above = walk.ceiling === null || firstKnown === -1 ? keys.length : firstKnown
  const gaps: string[] = []
  if (walk.keyless > 0) gaps.push(`${walk.keyless} records have no usable key, so completeness cannot be verified`)
  if (top.total === undefined || walk.total_at_start === null)
    return [
      ...gaps,
      'the service returns no total_count, so completeness cannot be verified; no firm was marked as gone',
    ]
  const now = top.total - above
  if (firstKnown === -1 && keys.length === FIRM_PAGE_MAXIMUM)
    gaps.push('a full page of firms was added above the first key during the pull')
  if (seen !== walk.total_at_start || seen !== now)
    gaps.push(
      `completeness could not be verified: ${seen} distinct firms were pulled, but the service counted ${walk.total_at_start} at the start and ${now} at the end; no firm was marked as gone, and the next run checks again`,
    )
  return gaps
}

/** Marks missing firms as gone. If their share exceeds `max_gone_share`, marks none and returns the reason. */
async function markMissingGone(context: RunContext, walk: Walk): Promise<string | undefined> {
  const { db } = context.warehouse
  // On a first pull, the count would take 2% of the time.
  if (!(await hasEarlierFirms(db, walk.started_at))) return undefined
  const found = await countMissing(db, walk.id)
  if (found.missing === 0) return undefined
  const reason = goneShareReason(found, {
    noun: 'firms',
    setting: 'pipelines.firms.max_gone_share',
    limit: context.settings.firms.max_gone_share,
  })
  if (reason) return reason
  context.counts.gone += await markGone(db, walk.id, context.runId, walk.data_as_of)
  return undefined
}
