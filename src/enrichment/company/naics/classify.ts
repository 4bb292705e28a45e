import { readFileSync } from 'node:fs'
import { onFirstUse } from '../../../lib/on-first-use.ts'
import type { IndustryWeights } from './model.ts'
import { createIndustryModel } from './model.ts'

/** An industry of NAICS 2022, and the probability that the company belongs to it. */
export interface Industry {
  code: string
  title: string
  probability: number
}

/** A text that describes the company's business, and its weight. */
export interface BusinessText {
  text: string
  weight: number
}

/** All industries of NAICS 2022, by code. */
export const INDUSTRIES = readFileSync(new URL('industries.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [code: string, title: string])

/** The groups of the industries: the first three digits of their codes. */
const GROUPS = INDUSTRIES.map(([code]) => code.slice(0, 3))

const model = onFirstUse(() =>
  createIndustryModel(
    JSON.parse(readFileSync(new URL('weights.json', import.meta.url), 'utf8')) as IndustryWeights,
    INDUSTRIES.length,
  ),
)

/** Returns the probability of each industry for a text; undefined if the text has no known feature. */
export const industryOdds = (text: string): Float64Array | undefined => model()(text)

/**
 * Returns the probability of each industry, judged by several texts. Each text has its own distribution, and the
 * distributions are averaged by weight.
 */
export function combinedOdds(texts: readonly BusinessText[]): Float64Array {
  const sums = new Float64Array(INDUSTRIES.length)
  // If no phrase describes the business, the other texts are weak evidence.
  const total = Math.max(
    1,
    texts.reduce((sum, { weight }) => sum + weight, 0),
  )
  for (const { text, weight } of texts)
    industryOdds(text)?.forEach((probability, at) => {
      sums[at] = (sums[at] as number) + (probability * weight) / total
    })
  return sums
}

/** Adds up the probabilities of the industries in each group. */
export function groupOdds(odds: Float64Array): Map<string, number> {
  const groups = new Map<string, number>()
  odds.forEach((probability, at) => {
    const group = GROUPS[at] as string
    groups.set(group, (groups.get(group) ?? 0) + probability)
  })
  return groups
}

/** Returns the most probable industry of a company, judged by texts that describe its business. */
export function classifyIndustry(texts: readonly BusinessText[]): Industry | undefined {
  const sums = combinedOdds(texts)
  const best = sums.reduce((first, one, at) => (one > (sums[first] as number) ? at : first), 0)
  const [code, title] = INDUSTRIES[best] ?? []
  const probability = sums[best] ?? 0
  return code && title && probability > 0 ? { code, title, probability } : undefined
}
