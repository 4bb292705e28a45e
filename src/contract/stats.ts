import type { Static } from 'typebox'
import { Type } from 'typebox'

const Counts = Type.Object({
  total: Type.Integer({ description: 'Records known' }),
  enriched: Type.Integer({ description: 'Of these, enriched at least once with something found' }),
  from_formadv: Type.Integer({ description: 'Of these, known from Form ADV' }),
})

/** The reply of `GET /v2/stats`. Exact. */
export const Stats = Type.Object({ companies: Counts, persons: Counts })
export type Stats = Static<typeof Stats>
