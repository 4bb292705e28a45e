import type { Provenance } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import type { PersonObservation } from '../findings/provider.ts'
import { mergePerson } from './merge-person.ts'
import { readSightings } from './person-rows.ts'

/** Reads the sources and the alternative values for the fields of a company's people, keyed by `person_id`. */
export async function readProvenanceOf(
  db: Db,
  domain: string,
  personIds: readonly string[],
): Promise<Map<string, Provenance>> {
  const observed = await readSightings(db, domain, personIds)
  return new Map([...observed].map(([id, observations]) => [id, provenanceOf(observations)]))
}

function provenanceOf(observations: readonly PersonObservation[]): Provenance {
  const provenance: Provenance = {}
  for (const [field, places] of mergePerson(observations).evidence) {
    const evidence = places.map(({ source, url, observed_at, method, confidence, [field]: value }) => ({
      source,
      url,
      observed_at,
      method,
      confidence,
      value: value as string | number,
    }))
    const [{ value: _, ...winner }, ...alternatives] = evidence as [(typeof evidence)[number], ...typeof evidence]
    provenance[field] = { ...winner, alternatives }
  }
  return provenance
}
