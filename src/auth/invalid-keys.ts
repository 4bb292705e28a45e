import { LRUCache } from 'lru-cache'
import { networkOf } from '../lib/address-list.ts'
import { AppError } from '../lib/errors.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { Caller } from './caller.ts'
import type { KeyRing } from './key-ring.ts'

/** Maximum number of blocked addresses in memory. */
const MAX_BLOCKED = 10_000

/**
 * Authenticates a key sent from an IP address. Throws the same errors as `KeyRing.authenticate`, and `rate_limited` if
 * the address has sent too many invalid keys.
 */
export type AuthenticateKey = (key: string | undefined, address: string) => Promise<Caller>

/**
 * Counts invalid keys by address across all processes. Above the limit, each process checks only keys that it has
 * accepted before, so that other clients at the same address are not blocked.
 */
export function throttleInvalidKeys(
  keyRing: KeyRing,
  rateLimiter: RateLimiter,
  invalidKeysPerMinute: number,
): AuthenticateKey {
  const blocked = new LRUCache<string, true>({ max: MAX_BLOCKED })
  return async (key, address) => {
    const network = networkOf(address)
    const wait = key === undefined || keyRing.hasAccepted(key) ? 0 : blocked.getRemainingTTL(network)
    if (wait > 0) throw tooManyInvalidKeys(wait / 1000)
    try {
      return await keyRing.authenticate(key)
    } catch (error) {
      if (key === undefined || !(error instanceof AppError) || error.code !== 'unauthenticated') throw error
      const { accepted, resetSeconds } = await rateLimiter.take(network, 'invalid_key', invalidKeysPerMinute)
      if (accepted) throw error
      blocked.set(network, true, { ttl: resetSeconds * 1000 })
      throw tooManyInvalidKeys(resetSeconds)
    }
  }
}

function tooManyInvalidKeys(seconds: number): AppError {
  const retryAfter = Math.ceil(seconds)
  const text = `Too many invalid API keys from this address. Retry in ${retryAfter} seconds with a valid key in the header X-Api-Key.`
  return new AppError('rate_limited', text, { retryable: true, retryAfter })
}
