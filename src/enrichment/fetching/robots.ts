import type { NotFetched } from './fetched.ts'
import { isPathAllowed, parseRobots } from './parse-robots.ts'

/** What one site's robots.txt allows. */
export interface RobotsRules {
  allows(url: string): boolean
  /** Crawl delay in seconds; 0 when the file has none. */
  delay: number
  sitemaps: string[]
  /** Why robots.txt could not be read, in which case nothing may be fetched for now; null when it was read or does not exist. */
  unreachable: NotFetched | null
}

/** A longer crawl delay is capped, because no page of the site could be read within a task's time. */
const MAX_DELAY_SECONDS = 10

const everything = (allowed: boolean, unreachable: NotFetched | null): RobotsRules => ({
  allows: () => allowed,
  delay: 0,
  sitemaps: [],
  unreachable,
})

/** RFC 9309, 2.3.1.3: without a robots.txt (4xx), everything may be fetched. */
export const allowAll = (): RobotsRules => everything(true, null)

/** RFC 9309, 2.3.1.4: while robots.txt is unreachable, nothing may be fetched. */
export const allowNone = (why: NotFetched): RobotsRules => everything(false, why)

/** Parses a robots.txt for a product such as `talhouse`. */
export function parseRules(text: string, product: string): RobotsRules {
  const { rules, delay, sitemaps } = parseRobots(text, product)
  return {
    allows: (url) => {
      const { pathname, search } = new URL(url)
      return isPathAllowed(rules, pathname + search)
    },
    delay: Math.min(MAX_DELAY_SECONDS, Math.max(0, delay)),
    sitemaps: sitemaps.slice(0, 5),
    unreachable: null,
  }
}
