import type { AnyEvents } from '../../src/client/records.ts'

const PAGE = 200

/** Fetches one page of a record's events, newest first. */
export type FetchPage = (query: { since?: string; limit: number; offset: number }) => Promise<AnyEvents>

/**
 * All events after `since`, or all there are. Pages are counted by what came, for a host may send fewer than asked for. Events that arrive
 * meanwhile push older ones to later pages: some come twice, none is missed. A page that repeats the one before ends in `undefined`.
 */
export async function fetchEvents(fetch: FetchPage, since: string | undefined): Promise<unknown[] | undefined> {
  const events: unknown[] = []
  let before = ''
  for (;;) {
    const page = await fetch({ ...(since !== undefined && { since }), limit: PAGE, offset: events.length })
    const content = JSON.stringify(page.events)
    if (page.events.length > 0 && content === before) return undefined
    before = content
    events.push(...page.events)
    const limit = typeof page.limit === 'number' ? Math.min(page.limit, PAGE) : PAGE
    if (page.events.length < limit) return events
  }
}
