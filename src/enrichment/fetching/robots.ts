import type { NotFetched } from './fetched.ts'
import { isPathAllowed, parseRobots } from './parse-robots.ts'

/** The rules of one site's robots.txt. */
export interface RobotsRules {
  allows(url: string): boolean
  /** Crawl delay in seconds; 0 if the file specifies none. */
  delay: number
  sitemaps: string[]
  /**
   * Reason why robots.txt could not be read; null if it was read or does not exist. Pages may not be fetched until
   * robots.txt can be read.
   */
  unreachable: NotFetched | null
}

/** Maximum crawl delay. With a longer crawl delay, a site's pages could not be fetched within a task's time limit. */
const MAX_DELAY_SECONDS = 10

const everything = (allowed: boolean, unreachable: NotFetched | null): RobotsRules => ({
  allows: () => allowed,
  delay: 0,
  sitemaps: [],
  unreachable,
})

/** RFC 9309, 2.3.1.3: if robots.txt is missing (4xx), all URLs may be fetched. */
export const allowAll = (): RobotsRules => everything(true, null)

/** RFC 9309, 2.3.1.4: while robots.txt is unreachable, no URL may be fetched. */
export const allowNone = (why: NotFetched): RobotsRules => everything(false, why)

/** Parses the robots.txt rules for a product such as `talhouse`. */
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
