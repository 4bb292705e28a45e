import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Provider, SignalObservation } from '../../findings/provider.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoMicros } from '../../lib/timestamps.ts'
import type { FirmChange } from './form-adv/firm-change.ts'
import { signalsOfFirmChanges } from './form-adv/firm-changes.ts'

/**
 * Signals from what changed between the imported rosters for the advisers that have their site at this domain, on or after `since`
 * (YYYY-MM-DD). A domain that several firms share gives no signals: which of them the record is about cannot be told.
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

/** Differences older than this are no news. */
const WINDOW_DAYS = 365

/** The differences between rosters as a provider. It reads what was imported: nothing is asked over the network. */
export function createFirmChangesProvider(db: Db, clock: Clock): Provider {
  return {
    name: 'form-adv-changes',
    groups: new Set(['signals']),
    maxAgeDays: 1,
    async find({ domain }) {
      const now = clock.now()
      const since = new Date(now.getTime() - WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10)
      const signals = await findFirmSignals(db, domain, since, isoMicros(now))
      const found = signals.length > 0
      return {
        status: found ? 'found' : 'not_found',
        reason: found ? null : 'no adviser of this domain changed between the rosters',
        observations: [],
        people: [],
        signals,
      }
    },
  }
}
