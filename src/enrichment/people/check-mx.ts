import { Resolver } from 'node:dns/promises'
import { systemCode } from '../../lib/errors.ts'

export type ResolveMx = (domain: string) => Promise<{ exchange: string; priority: number }[]>

const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * A function that says whether a domain receives mail: true, false (no MX record, or the null MX of RFC 7505), or null when the name
 * servers gave no answer. Answers are kept for the life of the function. A domain that receives mail need not have the mailbox.
 */
export function mailReceiver(resolveMx: ResolveMx = resolverWith(3_000)): (domain: string) => Promise<boolean | null> {
  const known = new Map<string, Promise<boolean | null>>()
  return (domain) => {
    const asked = known.get(domain)
    if (asked) return asked
    const answer = resolveMx(domain).then(
      (records) => records.some(({ exchange }) => exchange !== '' && exchange !== '.'),
      (error: unknown) => {
        if (NO_RECORDS.has(systemCode(error) ?? '')) return false
        // No answer is no fact: the next one who asks may get one.
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
