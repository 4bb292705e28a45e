import type { AnyEvents } from '../host/replies.ts'

const PAGE = 200

/** Fetches one page of a record's events, newest first. */
export type FetchPage = (query: { since?: string; limit: number; offset: number }) => Promise<AnyEvents>

/**
 * All events after `since`. The offset advances by the events received, because a host may return fewer than requested.
 * Events added meanwhile push older ones to later pages: some arrive twice, none is missed. Undefined if the service
 * repeats the same page.
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
