import type { ComponentChildren } from 'preact'
import type { Usage } from '../../../src/contract/usage.ts'
import type { WarehouseOverview } from '../../../src/contract/warehouse.ts'
import { formatDuration, formatNumber, formatPercent, plural } from '../../lib/format.ts'
import { Figure } from '../../ui/figure.tsx'
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
        <ExplainedFigure name="Fresh" value={formatPercent(freshness.share)}>
          {formatNumber(freshness.current)} of {plural(freshness.total, 'account')}
        </ExplainedFigure>
      )}
      {freshness && (
        <ExplainedFigure name="Due now" value={formatNumber(freshness.stale + freshness.never)}>
          {freshness.never > 0 ? `${formatNumber(freshness.never)} never enriched` : 'stale accounts'}
        </ExplainedFigure>
      )}
      {night && (
        <ExplainedFigure name="Last night" value={formatDuration(night.seconds)}>
          <Time iso={night.started_at} />
        </ExplainedFigure>
      )}
      {night && (
        <ExplainedFigure name="Changed last night" value={formatNumber(night.inserted + night.updated + night.gone)}>
          {formatNumber(night.inserted)} new, {formatNumber(night.updated)} updated
        </ExplainedFigure>
      )}
      {usage && (
        <ExplainedFigure name="Units left" value={formatNumber(usage.units_remaining)}>
          {formatNumber(usage.units_used_this_period)} used this period
        </ExplainedFigure>
      )}
      {due !== undefined && (
        <ExplainedFigure name="Due in 14 nights" value={formatNumber(due)}>
          units
        </ExplainedFigure>
      )}
    </dl>
  )
}

interface Explained {
  name: string
  value: ComponentChildren
  /** Explanation of the value. */
  children: ComponentChildren
}

const ExplainedFigure = ({ name, value, children }: Explained) => (
  <Figure name={name}>
    {value}
    <small>{children}</small>
  </Figure>
)
