import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { ObservationTable } from '../db/record-tables.ts'
import type { Gathered } from '../findings/gather.ts'
import type { MergedField } from '../findings/merge.ts'
import type { CompanyField, Observation } from '../findings/provider.ts'

/** Every observation in store of one company. */
export async function readObservations(db: Db, domain: string): Promise<Selectable<ObservationTable>[]> {
  return await db
    .selectFrom('observation')
    .selectAll()
    .where('domain', '=', domain)
    .orderBy('source')
    .orderBy('field')
    .orderBy('ordinal')
    .execute()
}

export function toObservation(row: Selectable<ObservationTable>): Observation {
  const { source, field, value, url, observed_at, method, confidence, raw } = row
  return { source, field, value, url, observed_at, method, confidence, ...(raw === null ? {} : { raw }) } as Observation
}

/**
 * What is to be believed now: everything new, and what was kept of sources that were not asked this time or could not answer.
 * A source that answered speaks anew: what it no longer says is gone.
 */
export function currentObservations(kept: readonly Observation[], gathered: Gathered): Observation[] {
  if (!gathered.groups.includes('company')) return [...kept]
  const said = new Set(gathered.observations.map(({ source, field }) => `${source} ${field}`))
  const answered = new Set(
    gathered.answers
      .filter(({ status }) => status === 'found' || status === 'not_found')
      .map(({ provider }) => provider),
  )
  const stands = ({ source, field }: Observation) => !answered.has(source) && !said.has(`${source} ${field}`)
  return [...kept.filter(stands), ...gathered.observations]
}

/** Stores winners and losers in place of what was there. */
export async function replaceObservations(
  trx: Db,
  domain: string,
  merged: ReadonlyMap<CompanyField, MergedField>,
): Promise<void> {
  const ordinals = new Map<string, number>()
  const row = (observation: Observation, wins: boolean, confidence: number | null) => {
    const place = `${observation.source} ${observation.field}`
    const ordinal = ordinals.get(place) ?? 0
    ordinals.set(place, ordinal + 1)
    return { ...observation, ordinal, wins, merged_confidence: confidence }
  }
  const rows = [...merged.values()].flatMap(({ winner, confidence, losers }) => [
    row(winner, true, confidence),
    ...losers.map((loser) => row(loser, false, null)),
  ])
  await trx.deleteFrom('observation').where('domain', '=', domain).execute()
  await sql`
    insert into observation (domain, source, field, ordinal, value, raw, url, method, confidence, observed_at, wins, merged_confidence)
    select ${domain}, source, field, ordinal, value, raw, url, method, confidence, observed_at, wins, merged_confidence
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as seen (
      source text, field text, ordinal smallint, value jsonb, raw text, url text, method text, confidence real,
      observed_at timestamptz, wins boolean, merged_confidence real)`.execute(trx)
}
