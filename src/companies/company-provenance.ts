import type { Provenance } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import { readObservations, readObservationsOf } from './observations.ts'

type Rows = Awaited<ReturnType<typeof readObservations>>

/** Reads the source, the confidence and the alternative values of each company field. */
export async function readProvenance(db: Db, domain: string): Promise<Provenance> {
  return toProvenance(await readObservations(db, domain))
}

/** Reads the provenance of several companies, keyed by domain. */
export async function readProvenanceOf(db: Db, domains: readonly string[]): Promise<Map<string, Provenance>> {
  const observations = await readObservationsOf(db, domains)
  return new Map(domains.map((domain) => [domain, toProvenance(observations.get(domain) ?? [])]))
}

function toProvenance(rows: Rows): Provenance {
  const provenance: Provenance = {}
  for (const [field, observations] of Map.groupBy(rows, (row) => row.field)) {
    const winner = observations.find(({ wins }) => wins)
    if (!winner) continue
    const losers = observations.filter((one) => one !== winner).toSorted((a, b) => b.confidence - a.confidence)
    provenance[field] = {
      ...evidence(winner),
      confidence: winner.merged_confidence ?? winner.confidence,
      alternatives: losers.map((loser) => ({ ...evidence(loser), value: loser.value })),
    }
  }
  return provenance
}

function evidence({ source, url, observed_at, method, confidence, raw }: Rows[number]) {
  return { source, url, observed_at, method, confidence, ...(raw !== null && { raw }) }
}
