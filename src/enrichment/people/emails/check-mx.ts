import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { systemCode } from '../../../lib/errors.ts'

export type ResolveMx = (domain: string) => Promise<{ exchange: string; priority: number }[]>

const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Returns a function that checks whether a domain receives mail. The function returns true, false (no MX record, or a
 * null MX as in RFC 7505), or null if the name servers do not respond. Caches up to 10,000 results for a day. The
 * result does not prove that a mailbox exists.
 */
export function mailReceiver(resolveMx: ResolveMx = resolverWith(3_000)): (domain: string) => Promise<boolean | null> {
  const known = new LRUCache<string, Promise<boolean | null>>({ max: 10_000, ttl: 86_400_000 })
  return (domain) => {
    const asked = known.get(domain)
    if (asked) return asked
    const answer = resolveMx(domain).then(
      (records) => records.some(({ exchange }) => exchange !== '' && exchange !== '.'),
      (error: unknown) => {
        if (NO_RECORDS.has(systemCode(error) ?? '')) return false
        // Failures are not cached, so the next call retries.
        known.delete(domain)
        return null
      },
    )
    known.set(domain, answer)
    return answer
  }
}

function resolverWith(timeout: number): ResolveMx {
  const resolver = new Resolver({ timeout, tries: 2 })
  return (domain) => resolver.resolveMx(domain)
}
