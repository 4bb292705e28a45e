import type { WarehouseOverview, WarehouseRun } from '../../../src/contract/warehouse.ts'
import { formatDuration, formatNumber, formatPercent, formatRelative, plural } from '../../lib/format.ts'

/** Returns the freshness counts of the latest nightly run; undefined before the first one. */
export function latestFreshness({ freshness }: WarehouseOverview) {
  const night = freshness.at(-1)
  if (!night) return undefined
  const { fresh, due_soon, stale, never, pending, failing } = night
  const total = fresh + due_soon + stale + never + pending + failing
  return { ...night, total, current: fresh + due_soon, share: total === 0 ? 1 : (fresh + due_soon) / total }
}

/** A nightly run is overdue this long after its scheduled start. */
const GRACE_MS = 60 * 60_000

/** Describes the warehouse's state in one sentence, and the details in another. */
export function describeState(
  overview: WarehouseOverview,
  live: readonly WarehouseRun[] | undefined,
): { sentence: string; detail: string } {
  const [last] = overview.nights
  const [next, second] = overview.schedule.next.map((iso) => Date.parse(iso))
  const nextText = next ? `The next run starts ${formatRelative(new Date(next).toISOString())}.` : ''
  const freshness = latestFreshness(overview)
  const running = live?.find(({ state, parent_id }) => state === 'running' && parent_id === null)
  if (running) {
    const step = live?.find(({ state, parent_id }) => state === 'running' && parent_id === running.id)
    const progress = running.total ? `, ${running.done} of ${running.total} steps done` : ''
    return {
      sentence: running.pipeline === 'nightly' ? 'A nightly run is in progress' : `${running.pipeline} is running`,
      detail: `Started ${formatRelative(running.started_at)}${progress}${step ? `; now: ${step.pipeline}` : ''}.`,
    }
  }
  if (!last) return { sentence: 'The warehouse is empty', detail: `No nightly run has started yet. ${nextText}` }
  const interval = next && second ? second - next : 0
  if (interval > 0 && Date.parse(overview.now) - Date.parse(last.started_at) > interval + GRACE_MS)
    return {
      sentence: `The nightly run is overdue: the last one started ${formatRelative(last.started_at)}`,
      detail: `Check that \`talhouse up\` or \`talhouse schedule\` is running. ${nextText}`,
    }
  if (last.outcome === 'failed')
    return {
      sentence: 'The last nightly run failed',
      detail: `It ended ${formatRelative(last.ended_at ?? last.started_at)}. The reasons follow. ${nextText}`,
    }
  if (last.state === 'interrupted' || last.state === 'abandoned')
    return {
      sentence:
        last.state === 'interrupted' ? 'The last nightly run was stopped' : 'The process of the last nightly run died',
      detail: `Its work is kept. The next nightly run resumes it. ${nextText}`,
    }
  const took = `The last nightly run ended ${formatRelative(last.ended_at ?? last.started_at)} and took ${formatDuration(last.seconds)}.`
  if (last.outcome === 'degraded')
    return {
      sentence: `The last nightly run completed with ${plural(last.reasons.length, 'problem')} to check`,
      detail: `${took} ${nextText}`,
    }
  if (freshness && freshness.share < overview.target_share)
    return {
      sentence: `${formatPercent(freshness.share)} of ${plural(freshness.total, 'account')} are fresh, below the target of ${formatPercent(overview.target_share)}`,
      detail: `${took} ${nextText}`,
    }
  const accounts = freshness
    ? `${formatNumber(freshness.current)} of ${plural(freshness.total, 'account')} are fresh`
    : 'No accounts yet'
  const hasConcerns = overview.open_quarantine > 0 || (freshness?.failing ?? 0) > 0
  return { sentence: hasConcerns ? accounts : `All is well: ${accounts}`, detail: `${took} ${nextText}` }
}
