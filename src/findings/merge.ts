import { foldAccents } from '../lib/fold-accents.ts'
import { compatibleValues } from './fields-together.ts'
import type { CompanyField, Observation } from './provider.ts'

/** The displayed value of a field and its alternatives. */
export interface MergedField {
  winner: Observation
  /**
   * Probability that the displayed value is correct, from 0 to 1. Agreement between sources increases the probability.
   */
  confidence: number
  losers: Observation[]
}

/** Half-life of a value's confidence in years; infinity for values that do not age. */
const HALF_LIFE: Partial<Record<CompanyField, number>> = {
  employee_count: 3,
  employee_range: 3,
  headquarters_street: 6,
  phone: 6,
  description: 6,
  founded_year: Number.POSITIVE_INFINITY,
}
const USUAL_HALF_LIFE = 10
const YEAR = 365.25 * 86_400_000

/**
 * Merges observations field by field. Observations of the same value from independent sources support each other,
 * because their error probabilities multiply. The weight of an observation decreases with its age relative to the
 * newest observation. The value with the most support wins. Support is rounded to the nearest 0.05, and ties are broken
 * by `sourceOrder`, then by age, newest first. Prefers mixed-case spellings to all-capital spellings. Related fields
 * are not combined from sources that disagree (see `compatibleValues`): a street must be in the displayed city, and a
 * headcount in the displayed range. Ages are measured from the newest observation or from `asOf` (ISO 8601), whichever
 * is earlier, so an observation dated in the future does not lower the weight of all others.
 */
export function merge(
  observations: Observation[],
  sourceOrder: readonly string[],
  asOf?: string,
): Map<CompanyField, MergedField> {
  const fields = mergeEach(observations, sourceOrder, asOf)
  for (const [field, { winner, losers }] of fields) {
    const seen = [winner, ...losers]
    const fitting = compatibleValues(field, seen, observations, fields)
    if (fitting.length === seen.length) continue
    const again = mergeEach(fitting, sourceOrder, asOf).get(field)
    if (again)
      fields.set(field, { ...again, losers: [...again.losers, ...seen.filter((one) => !fitting.includes(one))] })
    else fields.delete(field)
  }
  return fields
}

function mergeEach(
  observations: Observation[],
  sourceOrder: readonly string[],
  asOf: string | undefined,
): Map<CompanyField, MergedField> {
  const youngest = Math.max(...observations.map(({ observed_at }) => Date.parse(observed_at)))
  const now = Math.min(youngest, asOf === undefined ? Number.POSITIVE_INFINITY : Date.parse(asOf))
  const rank = ({ source }: Observation): number => {
    const place = sourceOrder.indexOf(source)
    return place === -1 ? sourceOrder.length : place
  }
  const fields = new Map<CompanyField, MergedField>()
  for (const [field, seen] of Map.groupBy(observations, (observation) => observation.field)) {
    const support = new Map<string, number>()
    for (const [value, agreeing] of Map.groupBy(seen, sameValue)) support.set(value, supportFor(agreeing, now))
    const step = (observation: Observation): number => Math.round((support.get(sameValue(observation)) as number) * 20)
    const [winner, ...losers] = seen.toSorted(
      (a, b) =>
        step(b) - step(a) ||
        rank(a) - rank(b) ||
        b.observed_at.localeCompare(a.observed_at) ||
        b.confidence - a.confidence ||
        sameValue(a).localeCompare(sameValue(b)),
    )
    if (!winner) continue
    const [shown = winner] = [winner, ...losers].filter(
      (one) => sameValue(one) === sameValue(winner) && !isShouted(one),
    )
    const others = [winner, ...losers].filter((one) => one !== shown)
    fields.set(field, { winner: shown, confidence: support.get(sameValue(winner)) as number, losers: others })
  }
  return fields
}

/**
 * Returns the support for a value. Each source counts once, with its most confident observation, because pages of the
 * same site are not independent.
 */
function supportFor(agreeing: Observation[], now: number): number {
  const perSource = Map.groupBy(agreeing, ({ source }) => source)
  const errors = [...perSource.values()].map((said) => 1 - Math.max(...said.map((one) => agedConfidence(one, now))))
  return 1 - errors.reduce((product, error) => product * error, 1)
}

function agedConfidence({ field, confidence, observed_at }: Observation, now: number): number {
  const years = Math.max(0, now - Date.parse(observed_at)) / YEAR
  return confidence * 0.5 ** (years / (HALF_LIFE[field] ?? USUAL_HALF_LIFE))
}

/**
 * Returns whether a value is in all capitals, as in official registers. Short values are excluded, because they may be
 * codes or acronyms.
 */
const isShouted = ({ value }: Observation): boolean =>
  typeof value === 'string' && value.length > 4 && value !== value.toLowerCase() && value === value.toUpperCase()

/**
 * Returns a comparison key that ignores case, accents and punctuation. The key of a URL ignores the scheme, `www.` and
 * a trailing slash instead of punctuation.
 */
function sameValue({ field, value }: Observation): string {
  const text = foldAccents(String(value)).toLowerCase()
  if (field === 'social_url' || field === 'logo_url') return text.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  return text.replace(/[^\p{Letter}\p{Number}]+/gu, ' ').trim() || text
}
