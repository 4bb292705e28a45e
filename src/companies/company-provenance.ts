import type { Provenance } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import { readObservations } from './observations.ts'

/** Source, confidence and alternatives of each field of a company. */
export async function readProvenance(db: Db, domain: string): Promise<Provenance> {
  const rows = await readObservations(db, domain)
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

function evidence({
  source,
  url,
  observed_at,
  method,
  confidence,
  raw,
}: Awaited<ReturnType<typeof readObservations>>[number]) {
  return { source, url, observed_at, method, confidence, ...(raw !== null && { raw }) }
}
