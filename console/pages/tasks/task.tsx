import { useRoute } from 'preact-iso'
import type { TaskResult } from '../../../src/contract/tasks.ts'
import { formatField, formatNumber, plural } from '../../lib/format.ts'
import { useResource } from '../../lib/use-resource.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge, Empty } from '../../ui/feedback.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { RequestCard } from '../../ui/request-card.tsx'
import { TableCard, wide } from '../../ui/table-frame.tsx'
import { TaskProgress } from '../../ui/task-progress.tsx'
import { Copy, Outside, Time } from '../../ui/text.tsx'
import { TaskBadge, taskName } from './task-state.tsx'

/** One task: its request, each item's outcome, and its cost. */
export function Task() {
  const id = useRoute().params['id'] ?? ''
  const task = useResource<TaskResult>(`/v2/tasks/${encodeURIComponent(id)}/result`)
  const isOpen = task.data?.completed_at === null
  return (
    <Page
      name="Task"
      crumbs={<a href="/console/tasks">Tasks</a>}
      title={
        <span class="row wrap">
          {task.data ? taskName(task.data.task_type) : 'Task'} {task.data && <TaskBadge status={task.data.status} />}
        </span>
      }
      lead={
        <>
          <code>{id}</code> <Copy text={id} label="Copy the task ID" />
        </>
      }
    >
      {isOpen && <TaskProgress id={id} onEnded={task.reload} onClose={task.reload} />}
      <Loaded resource={task}>{(data) => <Details task={data} />}</Loaded>
    </Page>
  )
}

function Details({ task }: { task: TaskResult }) {
  return (
    <>
      <dl class="card figures">
        <Figure name="Charged">{formatNumber(task.units_charged)}</Figure>
        <Figure name="Refunded">{formatNumber(task.units_refunded)}</Figure>
        <Figure name="Submitted">
          <Time iso={task.created_at} />
        </Figure>
        <Figure name="Ended">
          <Time iso={task.completed_at} />
        </Figure>
      </dl>
      <Items task={task} />
      <RequestCard body={task.input_data} />
    </>
  )
}

const TONES: Record<string, Tone> = {
  complete: 'good',
  partial: 'good',
  fresh: 'good',
  not_found: 'idle',
  failed: 'bad',
}

interface Item {
  name: string
  href: string | undefined
  outcome: string
  reason: string | null
  found: string
}

function itemsOf({ output_data }: TaskResult): Item[] {
  if (output_data === null) return []
  const link = (domain: string) => `/console/companies/${encodeURIComponent(domain)}`
  const company = (
    found: string,
    { domain, outcome, reason }: { domain: string; outcome: string; reason: string | null },
  ): Item => ({
    name: domain,
    href: link(domain),
    outcome,
    reason,
    found,
  })
  return [
    ...(output_data.companies ?? []).map((item) => company(item.changed ? changesOf(item.changed) : '', item)),
    ...(output_data.leadership ?? []).map((item) => company(plural(item.contacts.length, 'person', 'people'), item)),
    ...(output_data.signals ?? []).map((item) => company(plural(item.signals.length, 'signal'), item)),
    ...(output_data.persons ?? []).map(({ outcome, reason, person }) => ({
      name: person?.full_name ?? 'Person',
      href: person ? link(person.company_domain) : undefined,
      outcome,
      reason,
      found: person?.title ?? '',
    })),
  ]
}

/** Counts the changes: `2 fields, 1 signal changed`. */
function changesOf({ fields, people, signals }: { fields: number; people: number; signals: number }): string {
  const changed = [
    fields > 0 && plural(fields, 'field'),
    people > 0 && plural(people, 'person', 'people'),
    signals > 0 && plural(signals, 'signal'),
  ].filter((text) => text !== false)
  return changed.length === 0 ? 'No changes' : `${changed.join(', ')} changed`
}

function Items({ task }: { task: TaskResult }) {
  const items = itemsOf(task)
  if (task.completed_at !== null && items.length === 0) return <Empty title="This task has no items" />
  if (items.length === 0) return null
  return (
    <TableCard title="Items" label="Items" columns={['Item', 'Outcome', 'Found', wide('Reason')]}>
      {items.map(({ name, href, outcome, reason, found }) => (
        <tr key={name}>
          <td>
            {href ? (
              <a class="cell-link" href={href}>
                <Outside max={120}>{name}</Outside>
              </a>
            ) : (
              <Outside max={120}>{name}</Outside>
            )}
          </td>
          <td>
            <Badge tone={TONES[outcome] ?? 'idle'}>{formatField(outcome)}</Badge>
          </td>
          <td>
            <Outside max={80}>{found}</Outside>
          </td>
          <td>
            <Outside>{reason}</Outside>
          </td>
        </tr>
      ))}
    </TableCard>
  )
}
