import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { ObservationTable } from '../db/record-tables.ts'
import type { Gathered } from '../findings/gather.ts'
import type { MergedField } from '../findings/merge.ts'
import type { CompanyField, Observation } from '../findings/provider.ts'

/** Reads all stored observations of a company. */
export async function readObservations(db: Db, domain: string): Promise<Selectable<ObservationTable>[]> {
  return (await readObservationsOf(db, [domain])).get(domain) ?? []
}

/** Reads the stored observations of several companies, grouped by domain, in a stable order. */
export async function readObservationsOf(
  db: Db,
  domains: readonly string[],
): Promise<Map<string, Selectable<ObservationTable>[]>> {
  const rows = await db
    .selectFrom('observation')
    .selectAll()
    .where('domain', 'in', domains)
    .orderBy('source')
    .orderBy('field')
    .orderBy('ordinal')
    .execute()
  return Map.groupBy(rows, ({ domain }) => domain)
}

export function toObservation(row: Selectable<ObservationTable>): Observation {
  const { source, field, value, url, observed_at, method, confidence, raw } = row
  return { source, field, value, url, observed_at, method, confidence, ...(raw === null ? {} : { raw }) } as Observation
}

/**
 * Returns the observations to merge: the new observations, and the stored observations of sources that failed or were
 * not queried. A source's response replaces all its earlier observations.
 */
export function currentObservations(stored: readonly Observation[], gathered: Gathered): Observation[] {
  if (!gathered.groups.includes('company')) return [...stored]
  const replaced = new Set(gathered.observations.map(({ source, field }) => `${source} ${field}`))
  const responded = new Set(
    gathered.answers
      .filter(({ status }) => status === 'found' || status === 'not_found')
      .map(({ provider }) => provider),
  )
  const isCurrent = ({ source, field }: Observation) => !responded.has(source) && !replaced.has(`${source} ${field}`)
  return [...stored.filter(isCurrent), ...gathered.observations]
}

/** Replaces the stored observations of companies with the observations in the merge results. */
export async function replaceObservations(
  trx: Db,
  companies: ReadonlyMap<string, ReadonlyMap<CompanyField, MergedField>>,
): Promise<void> {
  if (companies.size === 0) return
  const rows = [...companies].flatMap(([domain, merged]) => rowsOf(domain, merged))
  await trx
    .deleteFrom('observation')
    .where('domain', 'in', [...companies.keys()])
    .execute()
  await sql`
    insert into observation (domain, source, field, ordinal, value, raw, url, method, confidence, observed_at, wins, merged_confidence)
    select domain, source, field, ordinal, value, raw, url, method, confidence, observed_at, wins, merged_confidence
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as seen (
      domain text, source text, field text, ordinal smallint, value jsonb, raw text, url text, method text, confidence real,
      observed_at timestamptz, wins boolean, merged_confidence real)`.execute(trx)
}

function rowsOf(domain: string, merged: ReadonlyMap<CompanyField, MergedField>) {
  const ordinals = new Map<string, number>()
  const row = (observation: Observation, wins: boolean, confidence: number | null) => {
    const place = `${observation.source} ${observation.field}`
    const ordinal = ordinals.get(place) ?? 0
    ordinals.set(place, ordinal + 1)
    return { ...observation, domain, ordinal, wins, merged_confidence: confidence }
  }
  return [...merged.values()].flatMap(({ winner, confidence, losers }) => [
    row(winner, true, confidence),
    ...losers.map((loser) => row(loser, false, null)),
  ])
}
