import type { NotFetched } from './fetched.ts'
import { isPathAllowed, parseRobots } from './parse-robots.ts'

/** What one site allows us. `unreachable`: it must be taken as a no for now, and asked again soon. */
export interface RobotsRules {
  allows(url: string): boolean
  /** Seconds between requests that the site asks for; 0 when it asks for none. */
  delay: number
  sitemaps: string[]
  /** Why they could not be had; null when they could, or when there are none. */
  unreachable: NotFetched | null
}

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

/** The rules of a robots.txt for a product such as `talhouse`. */
export function parseRules(text: string, product: string): RobotsRules {
  const { rules, delay, sitemaps } = parseRobots(text, product)
  return {
    allows: (url) => {
      const { pathname, search } = new URL(url)
      return isPathAllowed(rules, pathname + search)
    },
    delay: Math.min(LONGEST_DELAY, Math.max(0, delay)),
    sitemaps: sitemaps.slice(0, 5),
    unreachable: null,
  }
}
