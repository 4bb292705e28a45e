import { readFileSync } from 'node:fs'
import type { EmailStatus } from '../../src/contract/person-values.ts'
import { deriveEmails } from '../../src/enrichment/people/emails/derive-emails.ts'
import { parseName } from '../../src/enrichment/people/names/parse-name.ts'
import type { PersonObservation } from '../../src/findings/provider.ts'
import type { GoldCompany } from './emails-gold/make-gold.ts'
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

/**
 * Derives missing addresses from published ones for one half of the gold companies, and compares them with the actual
 * addresses.
 */
export function scoreEmails(half: Half): EmailScore {
  const file = new URL(`../fixtures/gold/emails/${half}.json`, import.meta.url)
  const companies = JSON.parse(readFileSync(file, 'utf8')) as GoldCompany[]
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

if (import.meta.main) {
  const { people, answers } = scoreEmails(process.argv[2] === 'dev' ? 'dev' : 'held-out')
  for (const status of ['derived', 'guessed'] as const) {
    const list = answers.filter((answer) => answer.status === status)
    const right = list.filter((answer) => answer.right).length
    const stated = list.reduce((sum, { confidence }) => sum + confidence, 0) / list.length
    console.log(
      `${status.padEnd(8)} ${list.length} of ${people} people, right ${(right / list.length).toFixed(3)}, stated ${stated.toFixed(3)}, calibration error ${calibrationError(list).toFixed(3)}`,
    )
  }
  console.log(`all      calibration error ${calibrationError(answers).toFixed(3)}`)
}
