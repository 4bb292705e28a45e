import type { Db } from '../../db/database.ts'
import { observeFirms } from '../../findings/firm-observations.ts'
import type { Findings, Provider } from '../../findings/provider.ts'
import { FORM_ADV } from '../../findings/sources.ts'

/**
 * Finds company fields in the newest imported roster by website domain. If several firms share the domain, returns only
 * the values that they all share, with a lower confidence.
 */
export function formAdvProvider(db: Db): Provider {
  return {
    name: FORM_ADV,
    groups: new Set(['company'] as const),
    recheckAfterDays: 30,
    async find({ domain }): Promise<Findings> {
      const firms = await db
        .selectFrom('firm')
        .selectAll()
        .where('website_domain', '=', domain)
        .where('gone_as_of', 'is', null)
        .orderBy('crd_number')
        .execute()
      if (firms.length === 0) return nothing('no firm in the latest roster has this domain')
      const observations = observeFirms(firms)
      const reason = firms.length === 1 ? null : `${firms.length} firms share this domain`
      if (observations.length === 0) return nothing(`${reason} but have no values in common`)
      return { status: 'found', reason, observations, people: [], signals: [] }
    },
  }
}

const nothing = (reason: string): Findings => ({
  status: 'not_found',
  reason,
  observations: [],
  people: [],
  signals: [],
})
