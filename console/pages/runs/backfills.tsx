import { useState } from 'preact/hooks'
import type { Backfill, BackfillList } from '../../../src/contract/warehouse-backfills.ts'
import { formatDay, formatDuration, formatField, formatNumber, plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { liveRuns, useReloadOnChange } from '../../lib/live.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge, Empty, toast } from '../../ui/feedback.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { hidden, num, TableCard } from '../../ui/table-frame.tsx'
import { Time } from '../../ui/text.tsx'

const PATH = '/v2/warehouse/backfills'
const TONES: Record<Backfill['state'], Tone> = {
  planned: 'idle',
  running: 'live',
  paused: 'warn',
  completed: 'good',
  failed: 'bad',
}

/** Lists backfills of older data with their estimated cost and progress, and starts and pauses them. */
export function Backfills() {
  const list = useResource<BackfillList>(PATH)
  const live = liveRuns.value
  useReloadOnChange(
    live?.filter(({ pipeline }) => pipeline === 'backfill'),
    list.reload,
  )
  return (
    <Page
      name="Backfills"
      title="Backfills"
      crumbs={<a href="/console/runs">Runs</a>}
      lead="Data that nightly runs did not fetch, such as the history before the first night. Reads cost no units."
      actions={may('admin') && <Plan onPlanned={list.reload} />}
    >
      <Loaded resource={list}>
        {({ backfills }) =>
          backfills.length === 0 ? (
            <Empty title="No backfills yet">Plan one to see its cost before it starts.</Empty>
          ) : (
            <TableCard
              title="Backfills"
              label="Backfills"
              columns={[
                'Data',
                'State',
                'Parts',
                num('Requests'),
                num('Duration'),
                num('Rows'),
                'Planned',
                hidden('Actions'),
              ]}
            >
              {backfills.map((backfill) => (
                <Row key={backfill.id} backfill={backfill} onChanged={list.reload} />
              ))}
            </TableCard>
          )
        }
      </Loaded>
    </Page>
  )
}

function Row({ backfill, onChanged }: { backfill: Backfill; onChanged: () => void }) {
  const { dataset, from_at, state, parts, parts_done, parts_failed, created_at } = backfill
  return (
    <tr>
      <th scope="row">
        {formatField(dataset)}
        {from_at && <div class="muted">since {formatDay(from_at)}</div>}
      </th>
      <td>
        <Badge tone={TONES[state]}>{state}</Badge>
      </td>
      <td>
        {parts_done} of {parts}
        {parts_failed > 0 && <div class="muted">{parts_failed} failed</div>}
      </td>
      <td class="num">
        {formatNumber(backfill.requests)}
        <div class="muted">of about {formatNumber(backfill.estimated_requests)}</div>
      </td>
      <td class="num">
        {formatDuration(backfill.seconds)}
        <div class="muted">of about {formatDuration(backfill.estimated_seconds)}</div>
      </td>
      <td class="num">
        {formatNumber(backfill.inserted + backfill.updated)}
        <div class="muted">{formatNumber(backfill.unchanged)} unchanged</div>
      </td>
      <td>
        <Time iso={created_at} />
      </td>
      <td class="num">{may('admin') && <Change backfill={backfill} onChanged={onChanged} />}</td>
    </tr>
  )
}

function Change({ backfill, onChanged }: { backfill: Backfill; onChanged: () => void }) {
  const { id, state, estimated_requests, estimated_units } = backfill
  if (state === 'completed') return null
  const isRunning = state === 'running'
  const label = isRunning ? 'Pause' : state === 'planned' ? 'Start' : 'Resume'
  const run = async () => {
    await request('POST', `${PATH}/${id}/${isRunning ? 'pause' : 'start'}`)
    toast(
      isRunning ? `Backfill ${id} pauses after its current part.` : `A scheduler starts backfill ${id} within seconds.`,
    )
    onChanged()
  }
  return (
    <ConfirmButton
      label={label}
      description={`${label} backfill ${id}`}
      look="small"
      title={`${label} backfill ${id}`}
      confirm={`${label} 1 backfill`}
      run={run}
    >
      <p>
        {isRunning
          ? 'Completed parts are kept.'
          : `It sends about ${plural(estimated_requests, 'request')} and costs ${plural(estimated_units, 'unit')}.`}
      </p>
    </ConfirmButton>
  )
}

function Plan({ onPlanned }: { onPlanned: () => void }) {
  const [dataset, setDataset] = useState<Backfill['dataset']>('history')
  const [from, setFrom] = useState('')
  const run = async () => {
    const body = { dataset, ...(dataset === 'history' && { from }) }
    const planned = await request<Backfill>('POST', PATH, { body })
    toast(
      `Planned: about ${plural(planned.estimated_requests, 'request')}, ${plural(planned.estimated_units, 'unit')}.`,
    )
    onPlanned()
  }
  return (
    <ConfirmButton
      label="Plan a backfill"
      look="primary"
      title="Plan a backfill"
      confirm="Plan 1 backfill"
      isReady={dataset !== 'history' || from !== ''}
      run={run}
    >
      <label class="field">
        <span>Data</span>
        <select
          class="input"
          value={dataset}
          onChange={(event) => setDataset(event.currentTarget.value as Backfill['dataset'])}
        >
          {(['history', 'members', 'firms'] as const).map((name) => (
            <option key={name} value={name}>
              {formatField(name)}
            </option>
          ))}
        </select>
      </label>
      {dataset === 'history' && (
        <label class="field">
          <span>Changes since</span>
          <input type="date" class="input" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
      )}
      <p class="muted">Planning estimates the cost and starts nothing.</p>
    </ConfirmButton>
  )
}
