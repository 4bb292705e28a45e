import type { CompanyField, Observation } from './provider.ts'

/** What all sources say of one field: the value that the record shows, and the ones it does not. */
export interface MergedField {
  winner: Observation
  losers: Observation[]
}

/** Decides each field: the surest observation wins; between equally sure ones the younger. `sourceOrder` breaks what is left. */
export function merge(observations: Observation[], sourceOrder: readonly string[]): Map<CompanyField, MergedField> {
  const rank = (observation: Observation): number => {
    const place = sourceOrder.indexOf(observation.source)
    return place === -1 ? sourceOrder.length : place
  }
  const ordered = observations.toSorted(
    (a, b) => b.confidence - a.confidence || b.observed_at.localeCompare(a.observed_at) || rank(a) - rank(b),
  )
  const fields = new Map<CompanyField, MergedField>()
  for (const observation of ordered) {
    const merged = fields.get(observation.field)
    if (merged) merged.losers.push(observation)
    else fields.set(observation.field, { winner: observation, losers: [] })
  }
  return fields
}
