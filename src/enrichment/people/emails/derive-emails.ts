import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { NO_EMAIL } from '../../../findings/person-fields.ts'
import type { PersonObservation } from '../../../findings/provider.ts'
import { parseName } from '../names/parse-name.ts'
import { isDisposable, isFreeMail, isRoleMailbox } from './email-kinds.ts'
import type { EmailPattern } from './email-patterns.ts'
import { localPart, localPartsOf, PATTERN_SHARES } from './email-patterns.ts'

export interface EmailEvidence {
  /** Registrable domain of the company's site. */
  domain: string
  /** Every address the company publishes, personal or not. */
  addresses: readonly string[]
}

/** The completed people, before the check that their domain receives mail (see `keepReceived`). */
export interface DerivedEmails {
  people: PersonObservation[]
  /** Domain of the derived addresses; null when there are none. */
  madeAt: string | null
}

/** The address pattern of a domain, with the addresses that support it. */
export interface PatternEvidence {
  pattern: EmailPattern
  /** Probability that another person's address follows it. */
  confidence: number
  examples: string[]
}

/** Share of companies whose people have their addresses at the domain of the website (measured: 1,353 of 1,620). */
const SAME_DOMAIN = 0.835
/**
 * Share of people at a company with a pattern whose address follows it; the others have short, old or married names.
 */
const FOLLOWS = 0.92
/** A pattern seen once may be an exception, or match another pattern by chance. */
const DOUBT = 0.06
/** Share of domains that receive mail among those whose name servers do not answer. */
const UNASKED = 0.95
/** Addresses below this confidence are dropped. */
const WORTH_SHOWING = 0.1

/**
 * Completes people without an address: by the pattern of the published addresses of the same domain (`derived`),
 * otherwise by the most common pattern (`guessed`). Mailboxes are never probed; the confidence is the probability that
 * the address is right. Free mail and disposable domains are skipped.
 */
export function deriveEmails(people: readonly PersonObservation[], evidence: EmailEvidence): DerivedEmails {
  const published = [...evidence.addresses, ...people.flatMap(({ email }) => (email ? [email] : []))]
  const { domain, confirmed } = mailDomain(people, published, evidence.domain)
  if (people.every(({ email }) => email) || isDisposable(`x@${domain}`) || isFreeMail(`x@${domain}`))
    return { people: [...people], madeAt: null }
  const seen = findPattern(people, published, domain)
  const certainty = confirmed ? 1 : SAME_DOMAIN
  const [common, share] = [...PATTERN_SHARES][0] as [EmailPattern, number]
  const used = new Map<string, number>()
  const made = people.map((person) => {
    const local = person.email ? null : localPart(seen?.pattern ?? common, nameOf(person))
    if (local) used.set(local, (used.get(local) ?? 0) + 1)
    return local
  })
  const taken = new Set(published.map((address) => address.toLowerCase()))
  const completed = people.map((person, index) => {
    const local = made[index]
    if (!local || taken.has(`${local}@${domain}`)) return person
    // Two people cannot share an address, so each gets a share of the confidence.
    const confidence = ((seen ? seen.confidence : share) * certainty) / (used.get(local) ?? 1)
    if (confidence < WORTH_SHOWING) return person
    return {
      ...person,
      email: `${local}@${domain}`,
      email_status: seen ? ('derived' as const) : ('guessed' as const),
      email_confidence: rounded(confidence),
    }
  })
  return { people: completed, madeAt: used.size > 0 ? domain : null }
}

/**
 * Applies the result of the mail check: a domain without mail (`false`) loses its derived addresses, an unanswered
 * check (`null`) lowers their confidence.
 */
export function keepReceived(people: readonly PersonObservation[], receives: boolean | null): PersonObservation[] {
  if (receives === true) return [...people]
  return people.map((person) => {
    if (person.email_status === null || person.email_status === 'published') return person
    const confidence = receives === false ? 0 : (person.email_confidence ?? 0) * UNASKED
    return confidence < WORTH_SHOWING
      ? { ...person, ...NO_EMAIL }
      : { ...person, email_confidence: rounded(confidence) }
  })
}

const rounded = (confidence: number): number => Math.round(confidence * 1000) / 1000

/**
 * The pattern of the published personal addresses of a domain, matched to people. Null without evidence; where
 * addresses disagree, the most common pattern with lower confidence.
 */
export function findPattern(
  people: readonly PersonObservation[],
  addresses: readonly string[],
  domain: string,
): PatternEvidence | null {
  const votes = new Map<EmailPattern, string[]>()
  let against = 0
  for (const address of new Set(addresses.map((one) => one.toLowerCase()))) {
    const [local = '', host = ''] = address.split('@')
    if (host !== domain || isRoleMailbox(address)) continue
    const fitting = people.flatMap((person) => localPartsOf(nameOf(person)).get(local) ?? [])
    const owner = people.some(({ email }) => email === address)
    const [pattern] = fitting
    if (pattern) votes.set(pattern, [...(votes.get(pattern) ?? []), address])
    else if (owner) against++
  }
  const [best] = [...votes].toSorted(
    (a, b) => b[1].length - a[1].length || (PATTERN_SHARES.get(b[0]) ?? 0) - (PATTERN_SHARES.get(a[0]) ?? 0),
  )
  if (!best) return null
  const [pattern, examples] = best
  const others = against + [...votes.values()].reduce((sum, list) => sum + list.length, 0) - examples.length
  // `jane@` may be the first-name pattern or an exception: agreement decides.
  const sure = examples.length / (examples.length + others + DOUBT)
  return { pattern, confidence: FOLLOWS * sure, examples }
}

const nameOf = ({ full_name, first_name, last_name }: PersonObservation) => ({
  first_name,
  last_name,
  middle_name: parseName(full_name)?.middle_name ?? null,
})

/**
 * The company's mail domain: the domain of most published addresses, otherwise the site's own, unconfirmed. Pages also
 * show addresses of templates, tools and authors, so another domain counts only if it contains the site's name or
 * belongs to one of the people.
 */
function mailDomain(
  people: readonly PersonObservation[],
  addresses: readonly string[],
  site: string,
): { domain: string; confirmed: boolean } {
  const locals = new Set(people.flatMap((person) => [...localPartsOf(nameOf(person)).keys()]))
  const counts = new Map<string, number>()
  for (const address of new Set(addresses)) {
    const [local = '', host = ''] = address.toLowerCase().split('@')
    if (!getDomain(host) || isFreeMail(address) || isDisposable(address)) continue
    if (!isNamedAlike(host, site) && !locals.has(local)) continue
    counts.set(host, (counts.get(host) ?? 0) + (host === site ? 1.5 : 1))
  }
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1])
  return best ? { domain: best[0], confirmed: true } : { domain: site, confirmed: false }
}

/** `acme.com` and `acme.co.uk`, `acmecapital.com` and `acme.com`. */
function isNamedAlike(host: string, site: string): boolean {
  const [one, other] = [host, site].map((name) => getDomainWithoutSuffix(name) ?? '') as [string, string]
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short === long || (short.length > 3 && long.includes(short))
}
