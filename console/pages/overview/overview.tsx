import type { TalPage } from '../../../src/contract/tal.ts'
import type { Usage } from '../../../src/contract/usage.ts'
import type { WarehouseOverview } from '../../../src/contract/warehouse.ts'
import { formatDateTime, formatNumber, formatShortDay, plural } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { liveRuns, liveTasks, useReloadOnChange } from '../../lib/live.ts'
import { identity, may, mayReadWarehouse } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Bars } from '../../ui/chart.tsx'
import { Badge, Empty, Notice } from '../../ui/feedback.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { Time } from '../../ui/text.tsx'
import { LIST } from '../accounts/list.ts'
import { StartRun } from '../runs/start-run.tsx'
import { Concerns } from './concerns.tsx'
import { Figures } from './figures.tsx'
import { LatestRuns } from './latest-runs.tsx'
import { describeState } from './state.ts'

/**
 * Shows whether the warehouse is fresh and the last nightly run succeeded, which companies are due, and which problems
 * need action.
 */
export function Overview() {
  const hasWarehouse = mayReadWarehouse()
  const overview = useResource<WarehouseOverview>(hasWarehouse ? '/v2/warehouse/overview' : undefined)
  const usage = useResource<Usage>(may('read') ? '/v2/usage' : undefined)
  const live = liveRuns.value
  useReloadOnChange(live, overview.reload)
  useReloadOnChange(liveTasks.value, usage.reload)
  if (!hasWarehouse) return <Account usage={usage.data} />
  const state = overview.data && describeState(overview.data, live)
  return (
    <Page
      name="Overview"
      title={state?.sentence ?? 'Overview'}
      lead={state?.detail}
      actions={may('admin') && overview.data && <StartRun pipelines={[]} onStarted={overview.reload} />}
    >
      <Loaded resource={overview} lines={10}>
        {(data) => (
          <>
            <Concerns overview={data} usage={usage.data} />
            <Figures overview={data} usage={usage.data} />
            <div class="grid">
              <Card title="Freshness of target accounts" aside={<a href="/console/accounts">All accounts</a>}>
                <Freshness overview={data} />
              </Card>
              <Card title="Units spent per night, and forecast">
                <Units overview={data} />
              </Card>
              <Card title="Rows changed per night">
                <Changes overview={data} />
              </Card>
              <Card title="Next runs" aside={<span class="muted">{data.schedule.time_zone}</span>}>
                <NextRuns overview={data} />
              </Card>
            </div>
            <LatestRuns overview={data} live={live} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Freshness({ overview }: { overview: WarehouseOverview }) {
  if (overview.freshness.length === 0)
    return (
      <Empty title="No nightly run has been recorded yet">The first nightly run counts fresh and stale accounts.</Empty>
    )
  return (
    <Bars
      title="Share of target accounts by freshness, by night"
      asShares
      series={[
        { name: 'Fresh', fill: 'good' },
        { name: 'Due soon', fill: 'soft' },
        { name: 'In progress', fill: 'accent' },
        { name: 'Stale or never enriched', fill: 'warn' },
        { name: 'Failing', fill: 'bad' },
      ]}
      bars={overview.freshness.map(({ night, fresh, due_soon, pending, stale, never, failing }) => ({
        label: formatShortDay(night),
        values: [fresh, due_soon, pending, stale + never, failing],
      }))}
      target={{ value: overview.target_share, name: `target ${Math.round(overview.target_share * 100)}% fresh` }}
    />
  )
}

const NIGHTS_SHOWN = 30

function Units({ overview }: { overview: WarehouseOverview }) {
  const spent = overview.nights.slice(0, NIGHTS_SHOWN).toReversed()
  const limit = overview.units_per_night
  const top = Math.max(...spent.map(({ units }) => units), ...overview.forecast.map(({ units }) => units))
  // A limit far above all values would flatten the bars, so its line is omitted.
  const isNear = limit > 0 && limit < top * 3
  return (
    <Bars
      title="Units spent per night and forecast for the next 14 nights"
      series={[
        { name: 'Spent', fill: 'accent' },
        { name: 'Becoming due', fill: 'idle' },
      ]}
      bars={[
        ...spent.map(({ started_at, units }) => ({
          label: `${formatShortDay(started_at)}`,
          values: [units, 0],
        })),
        ...overview.forecast.map(({ night, units }) => ({
          label: `${formatShortDay(night)} (forecast)`,
          values: [0, units],
        })),
      ]}
      {...(isNear && { target: { value: limit, name: `limit ${formatNumber(limit)} per night` } })}
    />
  )
}

function Changes({ overview }: { overview: WarehouseOverview }) {
  const nights = overview.nights.slice(0, NIGHTS_SHOWN).toReversed()
  if (nights.length === 0)
    return (
      <Empty title="No nightly runs yet">Rows inserted, updated or marked as gone by nightly runs appear here.</Empty>
    )
  return (
    <Bars
      title="Rows inserted, updated and gone per night"
      series={[
        { name: 'Inserted', fill: 'accent' },
        { name: 'Updated', fill: 'warn' },
        { name: 'Gone', fill: 'idle' },
      ]}
      bars={nights.map(({ started_at, inserted, updated, gone }) => ({
        label: `${formatShortDay(started_at)}`,
        values: [inserted, updated, gone],
      }))}
    />
  )
}

function NextRuns({ overview: { schedule, snapshot } }: { overview: WarehouseOverview }) {
  return (
    <ol class="stack-small">
      {schedule.next.slice(0, 5).map((iso, index) => (
        <li class="row" key={iso}>
          <time class="grow" dateTime={iso}>
            {formatDateTime(iso, schedule.time_zone)}
          </time>
          <span class={index === 0 ? 'strong' : 'muted'}>
            <Time iso={iso} />
          </span>
        </li>
      ))}
      <li class="muted">
        <code>{schedule.cron}</code> runs {schedule.pipelines.join(', ')}.
      </li>
      {snapshot && (
        <li class="muted">
          Latest snapshot: <span class="outside">{snapshot.id}</span>, <Time iso={snapshot.created_at} />.
        </li>
      )}
    </ol>
  )
}

/** The overview for a key without warehouse access. */
function Account({ usage }: { usage: Usage | undefined }) {
  const list = useResource<TalPage>(may('lists') ? withQuery(LIST, { limit: 1 }) : undefined)
  return (
    <Page
      name="Overview"
      title={usage ? `${formatNumber(usage.units_remaining)} units are left in this period` : 'Overview'}
      lead="Enrichment spends units. The price is shown before you confirm."
      actions={
        may('lists') && (
          <a class="button primary" href="/console/accounts/upload">
            Upload a CSV file
          </a>
        )
      }
    >
      {usage && <Figures usage={usage} />}
      {list.data && (
        <Card title="Target accounts" aside={<a href="/console/accounts">Open the list</a>}>
          <p>
            {list.data.total === 0
              ? 'Your list is empty. Upload a CSV file of the companies that you care about, or add their domains.'
              : `${plural(list.data.total, 'account')} on your list. `}
            {list.data.total > 0 && <a href="/console/accounts?status=stale">Show stale accounts</a>}
          </p>
        </Card>
      )}
      <Card title="Permissions of this key">
        <p class="muted">
          {may('warehouse')
            ? 'The key has these scopes:'
            : 'The key has the scopes below. Runs, personnel changes and the freshness of the warehouse require the scope “warehouse”; ask the operator for a key that has it.'}
        </p>
        <p class="row wrap">
          {identity.value?.scopes.map((scope) => (
            <Badge key={scope} tone="idle">
              {scope}
            </Badge>
          ))}
        </p>
      </Card>
      {!identity.value?.has_warehouse && may('warehouse') && (
        <Notice>This service was started without a warehouse, so it has no runs to show.</Notice>
      )}
    </Page>
  )
}
