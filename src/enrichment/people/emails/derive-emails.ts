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
  /** All addresses that the company publishes, whoever's they are. */
  addresses: readonly string[]
}

/** People completed as if the domain of their mail received any. See `keepReceived`. */
export interface DerivedEmails {
  people: PersonObservation[]
  /** Domain of the addresses that were made; null when none was. */
  madeAt: string | null
}

/** The pattern of a domain's addresses, with the addresses that show it. */
export interface PatternEvidence {
  pattern: EmailPattern
  /** Probability that another person's address follows it. */
  confidence: number
  examples: string[]
}

/** Share of companies whose people have their addresses at the domain of the website (measured: 1,353 of 1,620). */
const SAME_DOMAIN = 0.835
/** Of people at a company with a pattern, so many have an address that follows it; the others have short, old or married names. */
const FOLLOWS = 0.92
/** One pattern seen once may be that person's exception, or fit another pattern by chance. */
const DOUBT = 0.06
/** Of domains whose name servers give no answer, so many receive mail. */
const UNASKED = 0.95
/** Below this a guess is noise. */
const WORTH_SHOWING = 0.1

/**
 * Completes people without an address: by the pattern that published addresses of the same domain show (`derived`), else by the
 * commonest pattern of all (`guessed`). A mailbox is never probed: the confidence says how often such an answer is right. Free mail and
 * throw-away domains give nothing.
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
    // Two people cannot share an address: one of them has another.
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
 * The people with what is known of their mail's domain: one that receives none (`false`) gives no made address, and one that could not be asked
 * (`null`) gives it with less confidence.
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
 * The pattern that published personal addresses of a domain follow, by the people whose they are. Null without one; where they
 * disagree the commonest counts, with so much less confidence.
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
  // `jane@` may be the first-name pattern or one short name among longer ones: agreement settles it.
  const sure = examples.length / (examples.length + others + DOUBT)
  return { pattern, confidence: FOLLOWS * sure, examples }
}

const nameOf = ({ full_name, first_name, last_name }: PersonObservation) => ({
  first_name,
  last_name,
  middle_name: parseName(full_name)?.middle_name ?? null,
})

/**
 * Where the company's mail goes: the domain of most published addresses, else the site's own, unconfirmed. Pages are full of
 * addresses of others (templates, tools, authors): another domain counts only when it bears the site's name or one of the people.
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
