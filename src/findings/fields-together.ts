import { foldAccents } from '../lib/fold-accents.ts'
import type { CompanyField, Observation } from './provider.ts'

/** The winning observation of each field. */
type Merged = ReadonlyMap<CompanyField, { winner: Observation }>

const PARTS_OF_ADDRESS: ReadonlySet<CompanyField> = new Set([
  'headquarters_street',
  'headquarters_state',
  'headquarters_postal_code',
  'headquarters_country',
])

/**
 * Returns the observations of a dependent field that are consistent with the displayed values of other fields: parts of
 * an address must match the city, and a headcount must match the range.
 */
export function compatibleValues(
  field: CompanyField,
  seen: readonly Observation[],
  observations: readonly Observation[],
  merged: Merged,
): Observation[] {
  if (PARTS_OF_ADDRESS.has(field)) return ofShownCity(seen, observations, merged)
  if (field === 'employee_count') return withinShownRange(seen, merged)
  return [...seen]
}

/** Keeps values from sources and methods that observed the displayed city or no city. */
function ofShownCity(
  seen: readonly Observation[],
  observations: readonly Observation[],
  merged: Merged,
): Observation[] {
  const shown = merged.get('headquarters_city')
  if (!shown) return [...seen]
  const cities = observations.filter(({ field }) => field === 'headquarters_city')
  return seen.filter((one) => {
    const together = cities.filter(({ source, method }) => source === one.source && method === one.method)
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
