import { foldAccents } from '../lib/fold-accents.ts'
import type { CompanyField, Observation } from './provider.ts'

/** The winning observation of each field. */
type Merged = ReadonlyMap<CompanyField, { winner: Observation }>

/** Fields that belong to another field's value. */
const LEADING_FIELD: Partial<Record<CompanyField, CompanyField>> = {
  headquarters_street: 'headquarters_city',
  headquarters_state: 'headquarters_city',
  headquarters_postal_code: 'headquarters_city',
  headquarters_country: 'headquarters_city',
  naics_title: 'naics_code',
}

/**
 * Returns the observations of a dependent field that are consistent with the displayed values of other fields: parts of
 * an address must match the city, a NAICS title the code, and a headcount the range.
 */
export function compatibleValues(
  field: CompanyField,
  seen: readonly Observation[],
  observations: readonly Observation[],
  merged: Merged,
): Observation[] {
  const leading = LEADING_FIELD[field]
  if (leading) return ofShown(leading, seen, observations, merged)
  if (field === 'employee_count') return withinShownRange(seen, merged)
  return [...seen]
}

/** Keeps values from sources and methods that observed the displayed value of the leading field, or no value of it. */
function ofShown(
  leading: CompanyField,
  seen: readonly Observation[],
  observations: readonly Observation[],
  merged: Merged,
): Observation[] {
  const shown = merged.get(leading)
  if (!shown) return [...seen]
  const observed = observations.filter(({ field }) => field === leading)
  return seen.filter((one) => {
    const together = observed.filter(({ source, method }) => source === one.source && method === one.method)
    return together.length === 0 || together.some(({ value }) => fold(value) === fold(shown.winner.value))
  })
}

function withinShownRange(seen: readonly Observation[], merged: Merged): Observation[] {
  const [, low, high] = /^(\d+)(?:-(\d+)|\+)$/.exec(String(merged.get('employee_range')?.winner.value)) ?? []
  if (!low) return [...seen]
  return seen.filter(
    ({ value }) => Number(value) >= Number(low) && Number(value) <= Number(high ?? Number.POSITIVE_INFINITY),
  )
}

const fold = (value: string | number): string =>
  foldAccents(String(value))
    .replace(/[^\p{Letter}\p{Number}]/gu, '')
    .toLowerCase()
