import type { Signal } from '../../../src/contract/companies.ts'
import { formatDay, formatPercent } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { Outside, OutsideLink, Time } from '../../ui/text.tsx'

/** News about the company on a timeline, newest first. */
export function Signals({ signals, searchedAt }: { signals: readonly Signal[]; searchedAt: string | null }) {
  if (signals.length === 0)
    return (
      <Card>
        <Empty title="No signals are known">
          {searchedAt
            ? 'The last search found no news about this company.'
            : 'News has not been searched for yet. Choose “Enrich” and “Also find news signals”.'}
        </Empty>
      </Card>
    )
  return (
    <Card
      title="Signals"
      aside={
        searchedAt && (
          <span class="muted">
            searched <Time iso={searchedAt} />
          </span>
        )
      }
    >
      <ol class="timeline">
        {signals.map((signal) => (
          <li key={`${signal.url} ${signal.headline} ${signal.type}`}>
            <div class="muted">{signal.date ? formatDay(signal.date) : <Time iso={signal.first_seen_at} />}</div>
            <div>
              <div>
                <span class="tag">{signal.type}</span>{' '}
                {signal.url ? (
                  <OutsideLink url={signal.url}>{signal.headline}</OutsideLink>
                ) : (
                  <Outside>{signal.headline}</Outside>
                )}
              </div>
              <div class="muted">
                {signal.source}, {formatPercent(signal.confidence)}: <Outside>{signal.about}</Outside>
              </div>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
