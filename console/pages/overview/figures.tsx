import type { ComponentChildren } from 'preact'
import type { Usage } from '../../../src/contract/usage.ts'
import type { WarehouseOverview } from '../../../src/contract/warehouse.ts'
import { formatDuration, formatNumber, formatPercent, plural } from '../../lib/format.ts'
import { Time } from '../../ui/text.tsx'
import { latestFreshness } from './state.ts'

/** Key figures for the daily check of the warehouse. */
export function Figures({ overview, usage }: { overview?: WarehouseOverview; usage: Usage | undefined }) {
  const freshness = overview && latestFreshness(overview)
  const night = overview?.nights[0]
  const due = overview?.forecast.reduce((sum, { units }) => sum + units, 0)
  return (
    <dl class="card figures">
      {freshness && (
        <Figure name="Fresh" value={formatPercent(freshness.share)}>
          {formatNumber(freshness.current)} of {plural(freshness.total, 'account')}
        </Figure>
      )}
      {freshness && (
        <Figure name="Due now" value={formatNumber(freshness.stale + freshness.never)}>
          {freshness.never > 0 ? `${formatNumber(freshness.never)} never enriched` : 'stale accounts'}
        </Figure>
      )}
      {night && (
        <Figure name="Last night" value={formatDuration(night.seconds)}>
          <Time iso={night.started_at} />
        </Figure>
      )}
      {night && (
        <Figure name="Changed last night" value={formatNumber(night.inserted + night.updated + night.gone)}>
          {formatNumber(night.inserted)} new, {formatNumber(night.updated)} updated
        </Figure>
      )}
      {usage && (
        <Figure name="Units left" value={formatNumber(usage.units_remaining)}>
          {formatNumber(usage.units_used_this_period)} used this period
        </Figure>
      )}
      {due !== undefined && (
        <Figure name="Due in 14 nights" value={formatNumber(due)}>
          units
        </Figure>
      )}
    </dl>
  )
}

const Figure = ({ name, value, children }: { name: string; value: ComponentChildren; children: ComponentChildren }) => (
  <div class="figure">
    <dt>{name}</dt>
    <dd>
      {value}
      <small>{children}</small>
    </dd>
  </div>
)
