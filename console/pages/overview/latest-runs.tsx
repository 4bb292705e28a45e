import type { WarehouseOverview, WarehouseRun } from '../../../src/contract/warehouse.ts'
import { formatDuration, formatNumber } from '../../lib/format.ts'
import { num, TableCard } from '../../ui/table-frame.tsx'
import { Time } from '../../ui/text.tsx'
import { pipelineName, RunBadge } from '../runs/run-state.tsx'

/** The latest run of each pipeline, updated live. */
export function LatestRuns({
  overview,
  live,
}: {
  overview: WarehouseOverview
  live: readonly WarehouseRun[] | undefined
}) {
  if (overview.pipelines.length === 0) return null
  return (
    <TableCard
      title="Latest run of each pipeline"
      aside={<a href="/console/runs">All runs</a>}
      label="Latest run of each pipeline"
      columns={[
        'Pipeline',
        'Outcome',
        'Started',
        num('Duration'),
        num('Inserted'),
        num('Updated'),
        num('Requests'),
        num('Units'),
        'Last OK',
      ]}
    >
      {overview.pipelines.map(({ run: known, last_ok_at }) => {
        const run = live?.find(({ id }) => id === known.id) ?? known
        return (
          <tr key={run.pipeline}>
            <td>
              <a class="cell-link" href={`/console/runs/${run.parent_id ?? run.id}`}>
                {pipelineName(run.pipeline)}
              </a>
            </td>
            <td>
              <RunBadge run={run} />
            </td>
            <td>
              <Time iso={run.started_at} />
            </td>
            <td class="num">{formatDuration(run.seconds)}</td>
            <td class="num">{formatNumber(run.inserted)}</td>
            <td class="num">{formatNumber(run.updated)}</td>
            <td class="num">{formatNumber(run.requests)}</td>
            <td class="num">{formatNumber(run.units)}</td>
            <td>
              <Time iso={last_ok_at} />
            </td>
          </tr>
        )
      })}
    </TableCard>
  )
}
