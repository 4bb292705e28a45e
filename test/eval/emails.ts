/**
 * `npm run eval -- emails`: derives addresses for people at invented companies, and prints the stated confidence and the
 * share of correct addresses by status and confidence, like the bounce tables of vendors.
 */
import { readFileSync } from 'node:fs'
import type { EmailStatus } from '../../src/contract/person-values.ts'
import { deriveEmails } from '../../src/enrichment/people/emails/derive-emails.ts'
import { parseName } from '../../src/enrichment/people/names/parse-name.ts'
import type { PersonObservation } from '../../src/findings/provider.ts'
import type { GoldCompany } from './emails-gold/make-gold.ts'
import { generateCompanies } from './emails-gold/make-gold.ts'
import { printRows } from './print-table.ts'
import type { Half } from './titles.ts'

interface Answer {
  status: EmailStatus
  confidence: number
  right: boolean
}

export interface EmailScore {
  /** Number of people without a published address. */
  people: number
  answers: Answer[]
}

/** Scores one half of the gold companies. */
export function scoreEmails(half: Half): EmailScore {
  const file = new URL(`../fixtures/gold/emails/${half}.json`, import.meta.url)
  return scoreCompanies(JSON.parse(readFileSync(file, 'utf8')) as GoldCompany[])
}

/** Derives missing addresses from published ones, and compares them with the actual addresses. */
export function scoreCompanies(companies: readonly GoldCompany[]): EmailScore {
  const score: EmailScore = { people: 0, answers: [] }
  for (const { domain, role_addresses, people } of companies) {
    const found = deriveEmails(
      people.map(({ name, address, published }) => observation(name, published ? address : null)),
      { domain, addresses: role_addresses },
    )
    found.people.forEach(({ email, email_status, email_confidence }, index) => {
      const gold = people[index]
      if (!gold || gold.published) return
      score.people++
      if (email && email_status)
        score.answers.push({ status: email_status, confidence: email_confidence ?? 0, right: email === gold.address })
    })
  }
  return score
}

/**
 * Returns the expected calibration error over ten equal bands: the mean difference between the confidence and the share
 * of correct answers.
 */
export function calibrationError(answers: readonly { confidence: number; right: boolean }[]): number {
  const bands = Map.groupBy(answers, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)))
  const mean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  return [...bands.values()].reduce((sum, band) => {
    const gap = Math.abs(mean(band.map(({ confidence }) => confidence)) - mean(band.map(({ right }) => Number(right))))
    return sum + (gap * band.length) / answers.length
  }, 0)
}

function observation(full_name: string, email: string | null): PersonObservation {
  const name = parseName(full_name)
  return {
    source: 'website',
    url: null,
    observed_at: '2026-11-21T00:00:00.000000Z',
    method: 'page',
    confidence: 0.95,
    full_name,
    first_name: name?.first_name ?? null,
    last_name: name?.last_name ?? null,
    title: null,
    seniority: null,
    department: null,
    email,
    email_status: email ? 'published' : null,
    email_confidence: email ? 0.98 : null,
    phone: null,
    social_url: null,
  }
}

/** Bands of confidence in the table, by their lower limit. */
const BANDS = [0.9, 0.8, 0.6, 0.4, 0.2, 0]

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** Prints the stated confidence and the share of correct addresses by status and by band of confidence. */
function printStatedAndRight(answers: readonly Answer[]): void {
  const bands = BANDS.map((from, place) => ({ from, to: BANDS[place - 1] ?? 1.01 }))
  const rows = (['derived', 'guessed'] as const).flatMap((status) => {
    const list = answers.filter((answer) => answer.status === status)
    const groups = [
      { name: status, list },
      ...bands.map(({ from, to }) => ({
        name: `  ${from.toFixed(1)} or more`,
        list: list.filter(({ confidence }) => confidence >= from && confidence < to),
      })),
    ]
    return groups
      .filter((group) => group.list.length > 0)
      .map((group) => {
        const stated = mean(group.list.map(({ confidence }) => confidence))
        const right = mean(group.list.map((answer) => Number(answer.right)))
        return [
          group.name,
          String(group.list.length),
          ...[stated, right, right - stated].map((value) => value.toFixed(3)),
          calibrationError(group.list).toFixed(3),
        ]
      })
  })
  printRows(['status, confidence', 'addresses', 'stated', 'right', 'difference', 'calibration error'], rows)
}

/** The two halves of the gold companies are too small for bands of confidence, so the table uses more companies. */
export const scoreManyEmails = (): EmailScore => scoreCompanies(generateCompanies(4_000, 31_337))

if (import.meta.main) {
  const { people, answers } = scoreManyEmails()
  console.log(`${answers.length} addresses of ${people} people without a published address`)
  printStatedAndRight(answers)
  console.log(`calibration error of all: ${calibrationError(answers).toFixed(3)}`)
}
