import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { NO_EMAIL } from '../../../findings/person-fields.ts'
import type { PersonObservation } from '../../../findings/provider.ts'
import { parseName } from '../names/parse-name.ts'
import { isDisposable, isFreeMail, isRoleMailbox } from './email-kinds.ts'
import type { EmailPattern, NameForEmail, Spelling } from './email-patterns.ts'
import { localPart, localPartsOf, PATTERN_SHARES, spellingOf } from './email-patterns.ts'

export interface EmailEvidence {
  /** Registrable domain of the company's website. */
  domain: string
  /** All addresses that the company publishes, including role mailboxes. */
  addresses: readonly string[]
}

/** People with derived addresses. `keepReceived` then checks whether the domain receives mail. */
export interface DerivedEmails {
  people: PersonObservation[]
  /** Domain of the derived addresses; null if there are none. */
  madeAt: string | null
}

/** A domain's address pattern and the addresses that support it. */
interface PatternEvidence {
  pattern: EmailPattern
  /** Probability that another person's address follows the pattern. */
  confidence: number
  examples: string[]
  /** The spelling of multi-word names and umlauts in the examples. */
  spelling: Partial<Spelling>
}

/** Share of companies that use their website's domain for mail (measured: 1,353 of 1,620). */
const SAME_DOMAIN = 0.835
/** Share of people whose address follows their company's pattern. The other addresses use short or former names. */
const FOLLOWS = 0.92
/** Probability that an address at a company without a pattern matches a pattern by chance. */
const BY_CHANCE = 0.005
/** Minimum number of examples, without a counterexample, for a confidence above `MAX_WITH_FEW`. */
const ENOUGH_EXAMPLES = 3
const MAX_WITH_FEW = 0.9
/** Share of domains that receive mail, among those whose name servers do not respond. */
const UNVERIFIED = 0.95
/** Addresses with a lower confidence are dropped. */
const MIN_CONFIDENCE = 0.1

/**
 * Derives addresses for people without a published address: from the pattern of the domain's published addresses
 * (`derived`) or, if there is none, from the most common pattern (`guessed`). The confidence is the probability that
 * the address is correct. Never probes mailboxes. Skips free mail and disposable domains.
 */
export function deriveEmails(people: readonly PersonObservation[], evidence: EmailEvidence): DerivedEmails {
  const published = [...evidence.addresses, ...people.flatMap(({ email }) => (email ? [email] : []))]
  const { domain, confirmed } = mailDomain(people, published, evidence.domain)
  if (people.every(({ email }) => email) || isDisposable(`x@${domain}`) || isFreeMail(`x@${domain}`))
    return { people: [...people], madeAt: null }
  const examples = matchExamples(people, published, domain)
  const seen = findPattern(examples)
  const certainty = confirmed ? 1 : SAME_DOMAIN
  const [common] = [...PATTERN_SHARES.keys()] as [EmailPattern]
  const guessed = FOLLOWS * posterior(common, new Map(), examples.against)
  const used = new Map<string, number>()
  const made = people.map((person) => {
    const local = person.email ? null : localPart(seen?.pattern ?? common, nameOf(person), seen?.spelling)
    if (local) used.set(local, (used.get(local) ?? 0) + 1)
    return local
  })
  const taken = new Set(published.map((address) => address.toLowerCase()))
  const completed = people.map((person, index) => {
    const local = made[index]
    if (!local || taken.has(`${local}@${domain}`)) return person
    // If several people have the same derived address, the confidence is divided among them, because only one of them
    // can own it.
    const confidence = ((seen?.confidence ?? guessed) * certainty) / (used.get(local) ?? 1)
    if (confidence < MIN_CONFIDENCE) return person
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
 * Applies the result of the mail check to derived and guessed addresses. Drops these addresses if the domain receives
 * no mail (`false`), and lowers their confidence if the check failed (`null`).
 */
export function keepReceived(people: readonly PersonObservation[], receives: boolean | null): PersonObservation[] {
  if (receives === true) return [...people]
  return people.map((person) => {
    if (person.email_status === null || person.email_status === 'published') return person
    const confidence = receives === false ? 0 : (person.email_confidence ?? 0) * UNVERIFIED
    return confidence < MIN_CONFIDENCE
      ? { ...person, ...NO_EMAIL }
      : { ...person, email_confidence: rounded(confidence) }
  })
}

const rounded = (confidence: number): number => Math.round(confidence * 1000) / 1000

/** The published addresses of people that match a pattern, by pattern, and the number of those that match none. */
interface Examples {
  votes: ReadonlyMap<EmailPattern, { address: string; local: string; name: NameForEmail }[]>
  against: number
}

/** Matches a domain's published personal addresses with people and patterns. */
function matchExamples(people: readonly PersonObservation[], addresses: readonly string[], domain: string): Examples {
  const votes = new Map<EmailPattern, { address: string; local: string; name: NameForEmail }[]>()
  let against = 0
  for (const address of new Set(addresses.map((one) => one.toLowerCase()))) {
    const [local = '', host = ''] = address.split('@')
    if (host !== domain || isRoleMailbox(address)) continue
    const [fitting] = people.flatMap((person) => {
      const match = localPartsOf(nameOf(person)).get(local)
      return match ? [{ pattern: match.pattern, name: nameOf(person) }] : []
    })
    const owner = people.some(({ email }) => email === address)
    if (fitting)
      votes.set(fitting.pattern, [...(votes.get(fitting.pattern) ?? []), { address, local, name: fitting.name }])
    else if (owner) against++
  }
  return { votes, against }
}

/**
 * Infers a domain's address pattern. If the addresses follow different patterns, returns the most common pattern with a
 * lower confidence. Returns null if there is no evidence.
 */
function findPattern({ votes, against }: Examples): PatternEvidence | null {
  const [best] = [...votes].toSorted(
    (a, b) => b[1].length - a[1].length || (PATTERN_SHARES.get(b[0]) ?? 0) - (PATTERN_SHARES.get(a[0]) ?? 0),
  )
  if (!best) return null
  const [pattern, examples] = best
  const counts = new Map([...votes].map(([each, list]) => [each, list.length]))
  const confidence = FOLLOWS * posterior(pattern, counts, against)
  const isSure = examples.length >= ENOUGH_EXAMPLES && votes.size === 1 && against === 0
  return {
    pattern,
    confidence: isSure ? confidence : Math.min(confidence, MAX_WITH_FEW),
    examples: examples.map(({ address }) => address),
    spelling: spellingOf(examples),
  }
}

/**
 * Probability that a company uses a pattern, given the number of addresses that match each pattern and the number that
 * match no pattern. At companies without a pattern, addresses match only by chance.
 */
function posterior(pattern: EmailPattern, counts: ReadonlyMap<EmailPattern, number>, against: number): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const weight = (each: EmailPattern, share: number): number => {
    const matching = counts.get(each) ?? 0
    return share * FOLLOWS ** matching * ((1 - FOLLOWS) * BY_CHANCE) ** (total - matching) * (1 - FOLLOWS) ** against
  }
  // The measured shares are shares of addresses, so more companies than addresses follow a pattern.
  const shares = [...PATTERN_SHARES].map(([each, share]) => [each, share / FOLLOWS] as const)
  const none = (1 - shares.reduce((sum, [, share]) => sum + share, 0)) * BY_CHANCE ** total
  const all = shares.reduce((sum, [each, share]) => sum + weight(each, share), none)
  return weight(pattern, (PATTERN_SHARES.get(pattern) ?? 0) / FOLLOWS) / all
}

const nameOf = ({ full_name, first_name, last_name }: PersonObservation) => ({
  first_name,
  last_name,
  middle_name: parseName(full_name)?.middle_name ?? null,
})

/**
 * Determines the company's mail domain: the most frequent domain among the published addresses or, if there are none,
 * the site's domain, marked as unconfirmed. Pages also contain addresses from templates, tools and authors, so an
 * address counts only if its domain resembles the site's domain or its local part matches a person.
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

/**
 * Returns whether two domains have similar names, such as `acme.com` and `acme.co.uk`, or `acmecapital.com` and
 * `acme.com`.
 */
function isNamedAlike(host: string, site: string): boolean {
  const [one, other] = [host, site].map((name) => getDomainWithoutSuffix(name) ?? '') as [string, string]
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short === long || (short.length > 3 && long.includes(short))
}
