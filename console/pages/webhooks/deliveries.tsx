import type { DeliveryPage } from '../../../src/contract/webhooks.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { request, withQuery } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge, Empty, toast } from '../../ui/feedback.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { hidden, TableCard } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'

type Delivery = DeliveryPage['deliveries'][number]

const TONES: Record<Delivery['status'], Tone> = { pending: 'live', delivered: 'good', failed: 'bad', disabled: 'idle' }

/** Webhook deliveries with their attempts. Finished deliveries can be resent. */
export function Deliveries() {
  const { query } = useQuery()
  const page = useResource<DeliveryPage>(withQuery('/v2/webhooks/deliveries', { task_id: query['task'], limit: 100 }))
  return (
    <Page
      name="Webhooks"
      title="Webhooks"
      lead="Notifications about ended tasks, with every attempt. Failed deliveries are retried and can be resent."
    >
      <Loaded resource={page}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty title="No deliveries">
              Submit a task with a <code>callback_url</code>; its receiver is notified when the task ends.
            </Empty>
          ) : (
            <TableCard
              title="Deliveries"
              label="Deliveries"
              columns={['Created', 'Receiver', 'State', 'Task', 'Attempts', hidden('Actions')]}
            >
              {deliveries.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} onReplayed={page.reload} />
              ))}
            </TableCard>
          )
        }
      </Loaded>
    </Page>
  )
}

function Row({ delivery, onReplayed }: { delivery: Delivery; onReplayed: () => void }) {
  const { id, created_at, url, status, task_id, attempts, next_attempt_at } = delivery
  return (
    <tr>
      <td>
        <Time iso={created_at} />
      </td>
      <td>
        <Outside max={80}>{url}</Outside>
      </td>
      <td>
        <Badge tone={TONES[status]}>{status}</Badge>
        {next_attempt_at && (
          <div class="muted">
            next attempt <Time iso={next_attempt_at} />
          </div>
        )}
      </td>
      <td>
        <a href={`/console/tasks/${task_id}`}>Task</a>
      </td>
      <td>
        {attempts.length === 0 ? (
          <span class="muted">None yet</span>
        ) : (
          <details>
            <summary>{plural(attempts.length, 'attempt')}</summary>
            {attempts.map(({ attempted_at, status: code, error, milliseconds }) => (
              <div key={attempted_at}>
                <Time iso={attempted_at} absolute /> {code ?? 'no response'}, {formatNumber(milliseconds)} ms{' '}
                {error && <Outside max={160}>{error}</Outside>}
              </div>
            ))}
          </details>
        )}
      </td>
      <td class="num">{status !== 'pending' && <Replay id={id} url={url} onReplayed={onReplayed} />}</td>
    </tr>
  )
}

function Replay({ id, url, onReplayed }: { id: string; url: string; onReplayed: () => void }) {
  const replay = async () => {
    await request('POST', `/v2/webhooks/deliveries/${id}/replay`)
    toast('1 delivery will be resent.')
    onReplayed()
  }
  return (
    <ConfirmButton
      label="Resend"
      description={`Resend delivery ${id}`}
      look="small"
      title="Resend"
      confirm="Resend 1 delivery"
      run={replay}
    >
      <p>
        <Outside max={200}>{url}</Outside> receives the same notification with the same ID, so that it can detect the
        duplicate.
      </p>
    </ConfirmButton>
  )
}
