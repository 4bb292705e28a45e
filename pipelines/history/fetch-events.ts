import type { AnyEvents } from '../host/replies.ts'
import type { Host } from '../host-profile/host.ts'
import { ReplyTotals } from '../walk/reply-totals.ts'

/** The interface's maximum page size. A host may return fewer events. */
const PAGE = 200

/** Fetches one page of a record's events. */
export type FetchPage = (query: { since?: string; limit: number; offset: number }) => Promise<AnyEvents>

/**
 * Fetches all events after `since`. A host may return fewer events than requested, so a short page is not necessarily
 * the last page. Fetches pages until one is empty, or until the total is reached if the host is known to count all
 * events. New events push older ones to later pages, so some events may be fetched twice, but no event is missed.
 * Returns undefined if the service repeats the same page.
 */
export async function fetchEvents(
  fetch: FetchPage,
  since: string | undefined,
  host: Host,
): Promise<unknown[] | undefined> {
  const totals = new ReplyTotals(host.profile.totals.history)
  const events: unknown[] = []
  let before = ''
  for (;;) {
    const page = await fetch({ ...(since !== undefined && { since }), limit: PAGE, offset: events.length })
    totals.add(page.events.length, page.total)
    const content = JSON.stringify(page.events)
    if (page.events.length > 0 && content === before) return undefined
    before = content
    events.push(...page.events)
    const isWhole = totals.totals === 'all' && totals.total !== undefined && events.length >= totals.total
    if (page.events.length > 0 && !isWhole) continue
    await host.learnTotals('history', totals.totals)
    return events
  }
}
