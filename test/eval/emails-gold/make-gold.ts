import { writeFileSync } from 'node:fs'
import { mulberry32 } from '../../../src/demo/seeded-random.ts'
import type { EmailPattern } from '../../../src/enrichment/people/emails/email-patterns.ts'
import { localPart, PATTERN_SHARES } from '../../../src/enrichment/people/emails/email-patterns.ts'
import { parseName } from '../../../src/enrichment/people/names/parse-name.ts'
import type { Random } from '../people-gold/invented-people.ts'
import { generatePeople, pick } from '../people-gold/invented-people.ts'

/** An invented company. The distribution of email patterns matches measurements. */
export interface GoldCompany {
  /** Domain of the website. */
  domain: string
  /** Role mailboxes on the site. */
  role_addresses: string[]
  people: { name: string; address: string; published: boolean }[]
}

const COMPANIES = 250
/** Share of addresses at the website's domain, measured in public filings. */
const SAME_DOMAIN = 0.835
/** Share of addresses that differ from the company's pattern; an assumption, not a measurement. */
const EXCEPTION = 0.08

/** Regenerates both halves: `node test/eval/emails-gold/make-gold.ts`. */
function makeHalf(half: 'dev' | 'held-out', seed: number): void {
  const companies = generateCompanies(COMPANIES, seed)
  const file = new URL(`../../fixtures/gold/emails/${half}.json`, import.meta.url)
  writeFileSync(file, `[\n${companies.map((company) => JSON.stringify(company)).join(',\n')}\n]\n`)
}

/** Returns invented companies. The same seed returns the same companies. */
export function generateCompanies(count: number, seed: number): GoldCompany[] {
  const random = mulberry32(seed)
  return Array.from({ length: count }, (_, index) => generateCompany(random, `firm-${index}.example`))
}

function generateCompany(random: Random, domain: string): GoldCompany {
  const host = random() < SAME_DOMAIN ? domain : `mail-${domain}`
  const pattern = drawPattern(random)
  const publishing = random() < 0.55 ? 1 + Math.floor(random() * 3) : 0
  const used = new Set<string>()
  const people = generatePeople(random, 3 + Math.floor(random() * 6)).map(({ name }, index) => {
    let local = (random() < EXCEPTION ? null : localOf(pattern, name)) ?? unruly(random, name)
    while (used.has(local)) local = `${local}${used.size}`
    used.add(local)
    return { name, address: `${local}@${host}`, published: index < publishing }
  })
  return { domain, role_addresses: random() < 0.5 ? [`info@${host}`] : [], people }
}

/**
 * Returns null for companies without a pattern, which are a fifth of all companies. The measured shares are shares of
 * addresses, so more companies than addresses follow a pattern.
 */
function drawPattern(random: Random): EmailPattern | null {
  let left = random()
  for (const [pattern, share] of PATTERN_SHARES) {
    left -= share / (1 - EXCEPTION)
    if (left < 0) return pattern
  }
  return null
}

const localOf = (pattern: EmailPattern | null, name: string): string | null => {
  const parsed = parseName(name)
  return pattern && parsed ? localPart(pattern, parsed) : null
}

/** Generates an address that does not follow the pattern: a nickname, a shortened name or a number. */
function unruly(random: Random, name: string): string {
  const [first = '', ...rest] = name
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ')
  const last = rest.at(-1) ?? ''
  return pick(random, [
    `${first.slice(0, 3)}${last.slice(0, 4)}`,
    `${first.slice(0, 4)}y`,
    `${last.slice(0, 5)}${first.slice(0, 2)}`,
    `${first}${Math.floor(random() * 90) + 10}`,
    `the${first}`,
  ])
}

if (import.meta.main) {
  makeHalf('dev', 4711)
  makeHalf('held-out', 90210)
}
