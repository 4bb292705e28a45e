import type { RunRequested } from '../../../src/contract/warehouse.ts'
import type { WarehouseChecks } from '../../../src/contract/warehouse-trust.ts'
import { formatDuration, plural, printable } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { liveRuns, useReloadOnChange } from '../../lib/live.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { Badge, Empty, toast } from '../../ui/feedback.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { num, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Time } from '../../ui/text.tsx'

type Check = WarehouseChecks['checks'][number]

/** The latest results of the warehouse's invariant checks. */
export function Checks() {
  const list = useResource<WarehouseChecks>('/v2/warehouse/checks')
  useReloadOnChange(liveRuns.value, list.reload)
  const isRunning = liveRuns.value?.some(({ pipeline, state }) => pipeline === 'checks' && state === 'running')
  const action = isRunning ? <Badge tone="live">Checking</Badge> : may('admin') && <Start />
  return (
    <Loaded resource={list} lines={12}>
      {({ checks }) =>
        checks.length === 0 ? (
          <Empty title="The warehouse has not been checked yet" action={action}>
            An operator can run the checks here, or with <code>talhouse checks</code>.
          </Empty>
        ) : (
          <Card title={titleOf(checks)} aside={action} flush>
            <CheckTable checks={checks} />
          </Card>
        )
      }
    </Loaded>
  )
}

function Start() {
  const start = async () => {
    const { message } = await request<RunRequested>('POST', '/v2/warehouse/runs', { body: { pipeline: 'checks' } })
    toast(message)
  }
  return (
    <ConfirmButton label="Check now" title="Check the warehouse's rules" confirm="Check now" run={start}>
      <p>The run reads whole tables and changes nothing. It costs no units.</p>
    </ConfirmButton>
  )
}

const isFailed = ({ kind, failures, error }: Check): boolean => error !== null || (kind !== 'note' && failures > 0)

function titleOf(checks: readonly Check[]): string {
  const rules = checks.filter(({ kind }) => kind !== 'note')
  const failed = rules.filter(isFailed)
  return failed.length === 0 ? `All ${rules.length} checks passed` : `${failed.length} of ${rules.length} checks failed`
}

function CheckTable({ checks }: { checks: readonly Check[] }) {
  return (
    <TableFrame label="Checks" columns={['Result', wide('Rule'), num('Duration'), 'Checked']}>
      <tbody>
        {checks
          .toSorted((one, other) => Number(isFailed(other)) - Number(isFailed(one)))
          .map(({ name, kind, description, failures, examples, error, seconds, checked_at }) => (
            <tr key={name}>
              <td>
                {error !== null ? (
                  <Badge tone="bad">Failed</Badge>
                ) : failures === 0 ? (
                  <Badge tone="good">Passed</Badge>
                ) : (
                  <Badge tone={kind === 'note' ? 'warn' : 'bad'}>{plural(failures, 'row')}</Badge>
                )}
              </td>
              <td>
                <div class="strong">{name}</div>
                <div class="muted">{description}</div>
                {error !== null && <pre class="code">{printable(error)}</pre>}
                {examples.length > 0 && (
                  <pre class="code">
                    {examples.map((example) => printable(JSON.stringify(example)).slice(0, 500)).join('\n')}
                  </pre>
                )}
              </td>
              <td class="num">{formatDuration(seconds)}</td>
              <td>
                <Time iso={checked_at} />
              </td>
            </tr>
          ))}
      </tbody>
    </TableFrame>
  )
}
