import { AppError } from '../../lib/errors.ts'
import type { Guard } from '../../lib/guarded-agent.ts'
import { checkOutboundUrl } from '../../lib/guarded-agent.ts'
import { decodeText } from './decode-text.ts'
import type { Budget, MakeExchange } from './exchange.ts'
import { redirectTarget } from './exchange.ts'
import { outcomeOfFailure } from './failures.ts'
import type { RobotsFile } from './robots-cache.ts'
import type { FetchingSettings } from './settings.ts'

/** RFC 9309, 2.5: at least this much must be read. The rest is cut off. */
const MAX_BYTES = 500 * 1024
/** RFC 9309, 2.3.1.2: at least so many, to other hosts too; beyond them there are no rules. */
const MAX_REDIRECTS = 5

export interface RobotsSource {
  exchange: MakeExchange
  guard: Guard
  settings: FetchingSettings
}

/** Reads a site's robots.txt. Throws only when the signal aborts, and `unprocessable` where we must not go at all. */
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
      const limits = { maxBytes: MAX_BYTES, cutOff: true, budget, signal, delay: 0 }
      const reply = await exchange(url, { accept: 'text/plain,*/*;q=0.1' }, limits)
      const target = redirectTarget(reply, url)
      if (target !== undefined) url = target
      else if (reply.status >= 500 || reply.status === 429)
        return { outcome: 'unavailable', url, reason: `robots.txt answers ${reply.status}` }
      else if (reply.status >= 300) return null
      // A NUL is part of no rule, and no database holds one.
      else return decodeText({ body: reply.body, charset: '' }).replaceAll('\0', '')
    }
    return null
  } catch (error) {
    signal.throwIfAborted()
    // A refusal of ours stands for the whole site and is told as such.
    if (error instanceof AppError && error.code === 'unprocessable') throw error
    return outcomeOfFailure(url, error, settings)
  }
}
