import type { WarehouseRun } from '../../../src/contract/warehouse.ts'
import { formatDuration, formatNumber } from '../../lib/format.ts'
import { num, TableCard, wide } from '../../ui/table-frame.tsx'
import { pipelineName, RunBadge, toneOf } from './run-state.tsx'

/** A run's steps on a common timeline. */
export function Waterfall({ run, steps }: { run: WarehouseRun; steps: readonly WarehouseRun[] }) {
  const start = Date.parse(run.started_at)
  const length = Math.max(run.seconds, 0.001) * 1000
  return (
    <TableCard
      title="Steps"
      label="Steps"
      columns={[
        'Step',
        'Outcome',
        wide('Timeline'),
        num('Duration'),
        num('Inserted'),
        num('Updated'),
        num('Rejected'),
        num('Requests'),
        num('Units'),
      ]}
    >
      {steps.map((step) => {
        const left = Math.max(0, ((Date.parse(step.started_at) - start) / length) * 100)
        const width = Math.min(100 - left, ((step.seconds * 1000) / length) * 100)
        return (
          <tr key={step.id}>
            <td>
              <a class="cell-link nowrap" href={`/console/runs/${step.id}`}>
                {pipelineName(step.pipeline)}
              </a>
            </td>
            <td>
              <RunBadge run={step} />
            </td>
            <td>
              <div class="waterfall" aria-hidden="true">
                <div class={toneOf(step)} style={{ left: `${left}%`, width: `${width}%` }} />
              </div>
            </td>
            <td class="num">{formatDuration(step.seconds)}</td>
            <td class="num">{formatNumber(step.inserted)}</td>
            <td class="num">{formatNumber(step.updated)}</td>
            <td class="num">{formatNumber(step.quarantined)}</td>
            <td class="num">{formatNumber(step.requests)}</td>
            <td class="num">{formatNumber(step.units)}</td>
          </tr>
        )
      })}
    </TableCard>
  )
}
