import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'

const Counts = named(
  'RecordCounts',
  Type.Object({
    total: Type.Integer({ description: 'Number of records.' }),
    enriched: Type.Integer({ description: 'Records for which at least one enrichment returned data.' }),
    from_formadv: Type.Integer({ description: 'Records found in Form ADV.' }),
  }),
)

/** The response to `GET /v2/stats`. Counts are exact. */
export const Stats = named('Stats', Type.Object({ companies: Counts, persons: Counts }))
export type Stats = Static<typeof Stats>
