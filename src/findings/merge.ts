import { foldAccents } from '../lib/fold-accents.ts'
import { compatibleValues } from './fields-together.ts'
import type { CompanyField, Observation } from './provider.ts'

/** What all sources say of one field: the value that the record shows, and the ones it does not. */
export interface MergedField {
  winner: Observation
  /** Probability that the winner's value is right, with the agreement of other sources counted in. 0 to 1. */
  confidence: number
  losers: Observation[]
}

/** Years after which half of the trust in a value is gone. A value that does not age stands at infinity. */
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
 * Decides each field. Observations of one value support each other when they come from independent sources (the chance that
 * all are wrong multiplies), and weaken with age, counted from the youngest observation of all. The value with the most
 * support wins; values within a twentieth of each other go by `sourceOrder`, then by age. Where a register writes in capitals what
 * another source spells out, the spelling is the other's. Fields that tell one thing together are never put together from sources that
 * disagree on it (see `compatibleValues`): a street is of the shown city, a headcount within the shown band, or not shown.
 *
 * `asOf` (ISO 8601): nothing is younger. A source that dates its word into the future must not make all others old.
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

/** One source counts once, by its surest observation: a site that says it on ten pages is still one witness. */
function supportFor(agreeing: Observation[], now: number): number {
  const perSource = Map.groupBy(agreeing, ({ source }) => source)
  const errors = [...perSource.values()].map((said) => 1 - Math.max(...said.map((one) => agedConfidence(one, now))))
  return 1 - errors.reduce((product, error) => product * error, 1)
}

function agedConfidence({ field, confidence, observed_at }: Observation, now: number): number {
  const years = Math.max(0, now - Date.parse(observed_at)) / YEAR
  return confidence * 0.5 ** (years / (HALF_LIFE[field] ?? USUAL_HALF_LIFE))
}

/** Written in capitals alone, as registers do. Short ones may be codes or acronyms: that is their spelling. */
const isShouted = ({ value }: Observation): boolean =>
  typeof value === 'string' && value.length > 4 && value !== value.toLowerCase() && value === value.toUpperCase()

/** Two spellings of one value: case, accents, punctuation and a URL's scheme, `www.` and closing slash do not count. */
function sameValue({ field, value }: Observation): string {
  const text = foldAccents(String(value)).toLowerCase()
  if (field === 'social_url' || field === 'logo_url') return text.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  return text.replace(/[^\p{Letter}\p{Number}]+/gu, ' ').trim() || text
}
