import robotsParser from 'robots-parser'
import type { NotFetched } from './fetched.ts'

// Its types declare a default export within what is the function itself.
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** What one site allows us. `unreachable`: it must be taken as a no for now, and asked again soon. */
export interface RobotsRules {
  allows(url: string): boolean
  /** Seconds between requests that the site asks for; 0 when it asks for none. */
  delay: number
  sitemaps: string[]
  /** Why they could not be had; null when they could, or when there are none. */
  unreachable: NotFetched | null
}

/** RFC 9309, 2.5: at least this much must be read. The rest is cut off. */
export const ROBOTS_MAX_BYTES = 500 * 1024
/** Longer waits than this would make a site unreadable within any task; such sites are read slowly, not never. */
const LONGEST_DELAY = 10

const everything = (allowed: boolean, unreachable: NotFetched | null): RobotsRules => ({
  allows: () => allowed,
  delay: 0,
  sitemaps: [],
  unreachable,
})

/** RFC 9309, 2.3.1.3: with no rules to be had (4xx), everything may be read. */
export const allowAll = (): RobotsRules => everything(true, null)

/** RFC 9309, 2.3.1.4: when the rules cannot be reached, nothing may be read. */
export const allowNone = (why: NotFetched): RobotsRules => everything(false, why)

/** The rules of a robots.txt for a product such as `talhouse`. A group of its own name outranks `*`. */
export function parseRules(origin: string, text: string, product: string): RobotsRules {
  const robots = parseRobots(`${origin}/robots.txt`, text.replace(/^\ufeff/, ''))
  return {
    // Undefined means an address of another origin, about which these rules say nothing.
    allows: (url) => robots.isAllowed(url, product) ?? true,
    delay: Math.min(LONGEST_DELAY, Math.max(0, robots.getCrawlDelay(product) ?? 0)),
    sitemaps: robots.getSitemaps().slice(0, 5),
    unreachable: null,
  }
}
