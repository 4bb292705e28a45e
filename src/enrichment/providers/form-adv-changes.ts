import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Provider, SignalObservation } from '../../findings/provider.ts'
import { isoMicros } from '../../lib/timestamps.ts'
import type { FirmChange } from './form-adv/firm-change.ts'
import { signalsOfFirmChanges } from './form-adv/firm-changes.ts'

/**
 * Returns signals about the adviser with this domain, based on changes in rosters and filings dated on or after `since`
 * (YYYY-MM-DD). Returns no signals if several advisers share the domain, because each change concerns only one of them.
 */
export async function findFirmSignals(
  db: Db,
  domain: string,
  since: string,
  observedAt: string,
): Promise<SignalObservation[]> {
  const { rows } = await sql<FirmChange & { firms: number; name: string }>`
    with firms as (select crd_number, business_name, legal_name from firm where website_domain = ${domain})
    select change.crd_number, change.field, change.old_value, change.new_value, change.as_of,
      coalesce(firms.business_name, firms.legal_name) as name, (select count(*) from firms)::int as firms
    from firms
    join firm_change change using (crd_number)
    where change.as_of >= ${since}::date
    order by change.as_of desc, change.field`.execute(db)
  const [first] = rows
  if (!first || first.firms > 1) return []
  return signalsOfFirmChanges(rows, { name: first.name, observedAt })
}

/** Maximum age of reported changes. */
const WINDOW_DAYS = 365

/** Finds signals in changes between imported rosters and between Schedule A filings. */
export function createFirmChangesProvider(db: Db): Provider {
  return {
    name: 'form-adv-changes',
    groups: new Set(['signals']),
    recheckAfterDays: 1,
    async find({ domain, clock }) {
      const now = clock.now()
      const since = new Date(now.getTime() - WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10)
      const signals = await findFirmSignals(db, domain, since, isoMicros(now))
      const found = signals.length > 0
      return {
        status: found ? 'found' : 'not_found',
        reason: found ? null : 'the imported rosters contain no changes for an adviser with this domain',
        observations: [],
        people: [],
        signals,
      }
    },
  }
}
