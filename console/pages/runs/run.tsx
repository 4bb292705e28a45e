import { useRoute } from 'preact-iso'
import type { WarehouseRun, WarehouseRunDetails } from '../../../src/contract/warehouse.ts'
import { formatDateTime, formatDuration, formatNumber, plural } from '../../lib/format.ts'
import { liveRuns, useReloadOnChange } from '../../lib/live.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Notice } from '../../ui/feedback.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { Rejected } from '../../ui/rejected.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { pipelineName, RunBadge } from './run-state.tsx'
import { StartRun } from './start-run.tsx'
import { StopRun } from './stop-run.tsx'
import { Waterfall } from './waterfall.tsx'

/**
 * One run: its steps, the reasons for its outcome, its rejected records, and the actions to take. Updates live while
 * the run is in progress.
 */
export function Run() {
  const id = Number(useRoute().params['id'])
  const resource = useResource<WarehouseRunDetails>(`/v2/warehouse/runs/${id}`)
  const live = liveRuns.value
  useReloadOnChange(live, resource.reload)
  const known = resource.data?.run
  const run = live?.find((one) => one.id === id) ?? known
  return (
    <Page
      name={run ? `${pipelineName(run.pipeline)} ${id}` : `Run ${id}`}
      crumbs={<a href="/console/runs">Runs</a>}
      title={
        <span class="row wrap">
          {run ? `${pipelineName(run.pipeline)} #${id}` : `Run ${id}`}
          {run && <RunBadge run={run} />}
        </span>
      }
      lead={run && <Summary run={run} />}
      actions={run && may('admin') && <Actions run={run} details={resource.data} onChanged={resource.reload} />}
    >
      <Loaded resource={resource} lines={8}>
        {(details) => <Details details={details} run={run ?? details.run} live={live} />}
      </Loaded>
    </Page>
  )
}

const Summary = ({ run }: { run: WarehouseRun }) => (
  <>
    {run.requested_by === 'schedule'
      ? 'Scheduled'
      : run.requested_by === 'console'
        ? 'Started in the console'
        : 'Started'}{' '}
    {formatDateTime(run.started_at)}, {run.ended_at ? 'took' : 'running for'} {formatDuration(run.seconds)}.
  </>
)

function Actions({
  run,
  details,
  onChanged,
}: {
  run: WarehouseRun
  details: WarehouseRunDetails | undefined
  onChanged: () => void
}) {
  if (run.state === 'running') return <StopRun run={run} onStopped={onChanged} />
  const isResumable = run.outcome === null || run.outcome === 'failed'
  if (isResumable && details?.continued_by === null && run.parent_id === null)
    return <StartRun pipelines={[]} initial={run.pipeline} label="Resume" onStarted={onChanged} />
  return null
}

function Details({
  details: { steps, rejected, continued_by },
  run,
  live,
}: {
  details: WarehouseRunDetails
  run: WarehouseRun
  live: readonly WarehouseRun[] | undefined
}) {
  const current = steps.map((step) => live?.find(({ id }) => id === step.id) ?? step)
  return (
    <>
      <Reasons run={run} steps={current} continuedBy={continued_by} />
      {run.state === 'running' && run.total !== null && run.total > 0 && (
        <div>
          <p class="muted">
            {formatNumber(run.done)} of {formatNumber(run.total)} {steps.length > 0 ? 'steps' : 'done'}
          </p>
          <div
            class="progress"
            role="progressbar"
            aria-label="Progress"
            aria-valuenow={run.done}
            aria-valuemax={run.total}
          >
            <div style={{ width: `${Math.min(100, (run.done / run.total) * 100)}%` }} />
          </div>
        </div>
      )}
      <dl class="card figures">
        <Figure name="Inserted">{formatNumber(run.inserted)}</Figure>
        <Figure name="Updated">{formatNumber(run.updated)}</Figure>
        <Figure name="Unchanged">{formatNumber(run.unchanged)}</Figure>
        <Figure name="Gone">{formatNumber(run.gone)}</Figure>
        <Figure name="Rejected">{formatNumber(run.quarantined)}</Figure>
        <Figure name="Requests">{formatNumber(run.requests)}</Figure>
        <Figure name="Units">{formatNumber(run.units)}</Figure>
      </dl>
      {current.length > 0 && <Waterfall run={run} steps={current} />}
      {rejected.length > 0 && <Rejected records={rejected} />}
      <Card title="Details">
        <dl class="facts">
          <dt>Started</dt>
          <dd>
            <Time iso={run.started_at} absolute />
          </dd>
          <dt>Ended</dt>
          <dd>
            <Time iso={run.ended_at} absolute />
          </dd>
          <dt>Scheduled for</dt>
          <dd>
            <Time iso={run.scheduled_for} absolute />
          </dd>
          <dt>Latest heartbeat</dt>
          <dd>
            <Time iso={run.heartbeat_at} absolute />
          </dd>
          {run.parent_id !== null && (
            <>
              <dt>Step of</dt>
              <dd>
                <a href={`/console/runs/${run.parent_id}`}>run {run.parent_id}</a>
              </dd>
            </>
          )}
          {run.continues_id !== null && (
            <>
              <dt>Resumes</dt>
              <dd>
                <a href={`/console/runs/${run.continues_id}`}>run {run.continues_id}</a>
              </dd>
            </>
          )}
        </dl>
      </Card>
    </>
  )
}

/** Explains why the run is not OK and what happens next. */
function Reasons({
  run,
  steps,
  continuedBy,
}: {
  run: WarehouseRun
  steps: readonly WarehouseRun[]
  continuedBy: number | null
}) {
  // A nightly run retries failed steps; only the last attempt of a step counts.
  const last = new Map(steps.map((step) => [step.pipeline, step]))
  const failed = [...last.values()].filter(({ outcome }) => outcome === 'failed')
  return (
    <>
      {run.error_message && (
        <Notice tone="bad">
          <p class="strong outside">
            {failed.length > 0 ? (
              `${plural(failed.length, 'step')} failed. Their reasons follow.`
            ) : (
              <Outside>{run.error_message}</Outside>
            )}
          </p>
          <p class="muted">
            Error code <code>{run.error_code}</code>. Its committed work is kept; starting {run.pipeline} again resumes
            the run.
          </p>
          {failed.length > 0 && (
            <details>
              <summary class="muted">Full message, with skipped steps</summary>
              <Outside max={2000}>{run.error_message}</Outside>
            </details>
          )}
        </Notice>
      )}
      {run.reasons.map((reason) => (
        <Notice tone="warn" key={reason}>
          <Outside>{reason}</Outside>
        </Notice>
      ))}
      {failed.map((step) => (
        <Notice tone="bad" key={step.id}>
          <span class="strong">{pipelineName(step.pipeline)}:</span> <Outside>{step.error_message}</Outside>
        </Notice>
      ))}
      {run.state === 'interrupted' && <Notice>The run was stopped on request. Its work is kept.</Notice>}
      {run.state === 'abandoned' && (
        <Notice tone="bad">
          The process of this run died or lost its database connection. Its committed work is kept.
        </Notice>
      )}
      {continuedBy !== null && (
        <Notice tone="good">
          Its remaining work was resumed by <a href={`/console/runs/${continuedBy}`}>run {continuedBy}</a>.
        </Notice>
      )}
    </>
  )
}
