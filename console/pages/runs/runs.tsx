import { useLocation } from 'preact-iso'
import type { WarehouseRun, WarehouseRunPage } from '../../../src/contract/warehouse.ts'
import { formatDuration, formatNumber, plural } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { liveRuns, useReloadOnChange } from '../../lib/live.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty, Notice } from '../../ui/feedback.tsx'
import { Filter } from '../../ui/filter.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { PageLinks } from '../../ui/pager.tsx'
import { num, TableFrame } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { Calendar } from './calendar.tsx'
import { pipelineName, RunBadge, resultName } from './run-state.tsx'
import { StartRun } from './start-run.tsx'

const RESULTS = ['ok', 'degraded', 'failed', 'interrupted', 'abandoned', 'running'] as const

/** A list of all runs, and a calendar of the nightly runs. */
export function Runs() {
  const { query, route } = useLocation()
  const filters = { pipeline: query['pipeline'], result: query['result'], before: query['before'] }
  const page = useResource<WarehouseRunPage>(withQuery('/v2/warehouse/runs', filters))
  const nights = useResource<WarehouseRunPage>('/v2/warehouse/runs?pipeline=nightly&limit=400')
  const live = liveRuns.value
  useReloadOnChange(live, page.reload)
  const filter = (change: object) => route(withQuery('/console/runs', { ...filters, before: undefined, ...change }))
  return (
    <Page
      name="Runs"
      title="Runs"
      lead="Every execution of a pipeline, with its outcome and what it changed."
      actions={
        <>
          <a class="button" href="/console/runs/backfills">
            Backfills
          </a>
          {may('admin') && page.data && <StartRun pipelines={page.data.pipelines} onStarted={page.reload} />}
        </>
      }
    >
      <Card title="Nightly runs">
        <Loaded resource={nights} lines={4}>
          {({ runs }) => <Calendar nights={runs} />}
        </Loaded>
      </Card>
      <div>
        <div class="toolbar no-print">
          <Filter
            label="Pipeline"
            all="All pipelines"
            value={filters.pipeline}
            options={(page.data?.pipelines ?? []).map(({ name }) => [name, pipelineName(name)])}
            onChange={(pipeline) => filter({ pipeline })}
          />
          <Filter
            label="Outcome"
            all="All outcomes"
            value={filters.result}
            options={RESULTS.map((result) => [result, resultName(result)])}
            onChange={(result) => filter({ result })}
          />
        </div>
        <Loaded resource={page}>
          {({ runs, requested, limit }) => (
            <>
              {requested.map(({ pipeline, requested_at }) => (
                <Notice key={pipeline}>
                  {pipelineName(pipeline)} was requested <Time iso={requested_at} /> and waits for a scheduler. If it
                  does not start, check that <code>talhouse up</code> or <code>talhouse schedule</code> is running.
                </Notice>
              ))}
              <RunTable
                runs={runs.map((run) => live?.find(({ id }) => id === run.id) ?? run)}
                isFiltered={Object.values(filters).some(Boolean)}
              />
              <PageLinks
                links={[
                  runs.length === limit && {
                    name: 'Older runs',
                    href: withQuery('/console/runs', { ...filters, before: runs.at(-1)?.id }),
                  },
                ]}
              >
                {plural(runs.length, 'run')}
              </PageLinks>
            </>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

function RunTable({ runs, isFiltered }: { runs: readonly WarehouseRun[]; isFiltered: boolean }) {
  if (runs.length === 0)
    return isFiltered ? (
      <Empty title="No run matches" link={{ name: 'Show all runs', href: '/console/runs' }}>
        Choose another pipeline or outcome.
      </Empty>
    ) : (
      <Empty title="No runs yet">Start one here, or wait for the next nightly run.</Empty>
    )
  return (
    <TableFrame
      label="Runs"
      columns={[
        'Run',
        'Outcome',
        'Started',
        num('Duration'),
        num('Inserted'),
        num('Updated'),
        num('Gone'),
        num('Rejected'),
        num('Requests'),
        num('Units'),
      ]}
    >
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <a class="cell-link nowrap" href={`/console/runs/${run.id}`}>
                {pipelineName(run.pipeline)} <span class="muted">#{run.id}</span>
              </a>
              {(run.error_message ?? run.reasons[0]) && (
                <div class="muted reason">
                  <Outside max={120}>{run.error_message ?? run.reasons.join('; ')}</Outside>
                </div>
              )}
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
            <td class="num">{formatNumber(run.gone)}</td>
            <td class="num">{formatNumber(run.quarantined)}</td>
            <td class="num">{formatNumber(run.requests)}</td>
            <td class="num">{formatNumber(run.units)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
