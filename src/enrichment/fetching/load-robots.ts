import { AppError } from '../../lib/errors.ts'
import type { Guard } from '../../lib/guarded-agent.ts'
import { checkOutboundUrl } from '../../lib/guarded-agent.ts'
import { decodeText } from './decode-text.ts'
import type { Budget, MakeExchange } from './exchange.ts'
import { redirectTarget } from './exchange.ts'
import { outcomeOfFailure } from './failures.ts'
import type { RobotsFile } from './robots-cache.ts'
import type { FetchingSettings } from './settings.ts'

/** Number of bytes that RFC 9309, 2.5, requires crawlers to parse. The rest of a larger file is ignored. */
const MAX_BYTES = 500 * 1024
/**
 * RFC 9309, 2.3.1.2: crawlers should follow at least five redirects, even to other hosts. After more than five
 * redirects, the file is treated as missing.
 */
const MAX_REDIRECTS = 5

export interface RobotsSource {
  exchange: MakeExchange
  guard: Guard
  settings: FetchingSettings
}

/**
 * Fetches a site's robots.txt. Throws `unprocessable` if the address is forbidden, and the signal's reason if the
 * signal is aborted.
 */
export async function loadRobots(
  { exchange, guard, settings }: RobotsSource,
  origin: string,
  budget: Budget,
  signal: AbortSignal,
): Promise<RobotsFile> {
  let url = `${origin}/robots.txt`
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      checkOutboundUrl(url, guard)
      const limits = { maxBytes: MAX_BYTES, truncate: true, budget, signal, delay: 0 }
      const reply = await exchange(url, { accept: 'text/plain,*/*;q=0.1' }, limits)
      const target = redirectTarget(reply, url)
      if (target !== undefined) url = target
      else if (reply.status >= 500 || reply.status === 429)
        return { outcome: 'unavailable', url, reason: `robots.txt responded with ${reply.status}` }
      else if (reply.status >= 300) return null
      // PostgreSQL cannot store NUL in text.
      else return decodeText({ body: reply.body, charset: '' }).replaceAll('\0', '')
    }
    return null
  } catch (error) {
    signal.throwIfAborted()
    // If the address is forbidden, no page of the site may be fetched.
    if (error instanceof AppError && error.code === 'unprocessable') throw error
    return outcomeOfFailure(url, error, settings)
  }
}
