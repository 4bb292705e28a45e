import { foldAccents } from '../lib/fold-accents.ts'
import { compatibleValues } from './fields-together.ts'
import type { CompanyField, Observation } from './provider.ts'

/** The shown value of a field and its alternatives. */
export interface MergedField {
  winner: Observation
  /** Probability that the shown value is right, including the agreement of other sources, from 0 to 1. */
  confidence: number
  losers: Observation[]
}

/** Half-life of the confidence in a value, in years; infinity for values that do not age. */
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
 * Decides each field. Observations of one value support each other if their sources are independent (the probabilities
 * of error multiply), and lose weight with age, counted from the youngest observation. The value with the most support
 * wins; values within a twentieth of each other are ordered by `sourceOrder`, then by age. Of spellings in capitals and
 * mixed case, the mixed case is shown. Fields that belong together are not combined from sources that disagree (see
 * `compatibleValues`): a street is in the shown city, a headcount in the shown band, or it is not shown.
 * No observation counts as younger than `asOf` (ISO 8601): a source with a date in the future must not age all others.
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

/** One source counts once, by its most confident observation: a statement on ten pages of a site is one witness. */
function supportFor(agreeing: Observation[], now: number): number {
  const perSource = Map.groupBy(agreeing, ({ source }) => source)
  const errors = [...perSource.values()].map((said) => 1 - Math.max(...said.map((one) => agedConfidence(one, now))))
  return 1 - errors.reduce((product, error) => product * error, 1)
}

function agedConfidence({ field, confidence, observed_at }: Observation, now: number): number {
  const years = Math.max(0, now - Date.parse(observed_at)) / YEAR
  return confidence * 0.5 ** (years / (HALF_LIFE[field] ?? USUAL_HALF_LIFE))
}

/** Written in capitals, as registers do. Short values may be codes or acronyms. */
const isShouted = ({ value }: Observation): boolean =>
  typeof value === 'string' && value.length > 4 && value !== value.toLowerCase() && value === value.toUpperCase()

/** Key of equal values: case, accents, punctuation, a URL's scheme, `www.` and trailing slash are ignored. */
function sameValue({ field, value }: Observation): string {
  const text = foldAccents(String(value)).toLowerCase()
  if (field === 'social_url' || field === 'logo_url') return text.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  return text.replace(/[^\p{Letter}\p{Number}]+/gu, ' ').trim() || text
}
