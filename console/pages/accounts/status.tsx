import type { TalEntry } from '../../../src/contract/tal.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge } from '../../ui/feedback.tsx'

const DAY_MS = 86_400_000

type Dated = Pick<TalEntry, 'enrichment_status' | 'enriched_at' | 'status_reason'>

function statusOf({ enrichment_status, enriched_at }: Dated, freshDays: number): [Tone, string] {
  if (enrichment_status === 'pending') return ['live', 'In progress']
  if (enrichment_status === 'failed') return ['bad', 'Failed']
  if (enrichment_status === 'not_found') return ['idle', 'Not found']
  if (enriched_at === null) return ['idle', 'Never enriched']
  if (Date.now() - Date.parse(enriched_at) > freshDays * DAY_MS) return ['warn', 'Stale']
  return enrichment_status === 'partial' ? ['good', 'Fresh, partial'] : ['good', 'Fresh']
}

/** Shows whether a company is fresh, with the reason in the tooltip. */
export function StatusBadge({ company, freshDays }: { company: Dated; freshDays: number }) {
  const [tone, label] = statusOf(company, freshDays)
  return (
    <span title={company.status_reason ?? undefined}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}
