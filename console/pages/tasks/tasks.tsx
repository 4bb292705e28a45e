import type { Task } from '../../../src/contract/tasks.ts'
import { formatField, formatNumber, formatPercent } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { liveTasks, useReloadOnChange } from '../../lib/live.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Filter } from '../../ui/filter.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { PageLinks } from '../../ui/pager.tsx'
import { num, TableFrame } from '../../ui/table-frame.tsx'
import { Time } from '../../ui/text.tsx'
import { TaskBadge, taskName } from './task-state.tsx'

const PAGE = 50

/** Paid requests, newest first. */
export function Tasks() {
  const { query, href, change } = useQuery()
  const { status = '' } = query
  const offset = Number(query['offset'] ?? 0)
  const page = useResource<{ tasks: Task[] }>(
    withQuery('/v2/tasks', { limit: PAGE, status, offset: offset || undefined }),
  )
  const live = liveTasks.value
  useReloadOnChange(live, page.reload)
  return (
    <Page name="Tasks" title="Tasks" lead="All paid requests, with their results, charges and refunds.">
      <div>
        <div class="toolbar no-print">
          <Filter
            label="State"
            all="All states"
            value={status}
            options={['queued', 'running', 'completed', 'failed'].map((state) => [state, formatField(state)])}
            onChange={(status) => change({ status, offset: undefined })}
          />
        </div>
        <Loaded resource={page}>
          {({ tasks }) =>
            tasks.length === 0 ? (
              <Empty title="No tasks">Enriching accounts creates a task with the result of each account.</Empty>
            ) : (
              <>
                <TaskTable tasks={tasks.map((task) => live?.find(({ id }) => id === task.id) ?? task)} />
                <PageLinks
                  links={[
                    offset > 0 && { name: 'Newer', href: href({ offset: offset - PAGE || undefined }) },
                    tasks.length === PAGE && { name: 'Older', href: href({ offset: offset + PAGE }) },
                  ]}
                />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

const TaskTable = ({ tasks }: { tasks: readonly Task[] }) => (
  <TableFrame
    label="Tasks"
    columns={['Task', 'State', 'Submitted', 'Ended', num('Progress'), num('Charged'), num('Refunded')]}
  >
    <tbody>
      {tasks.map((task) => (
        <tr key={task.id}>
          <td>
            <a class="cell-link" href={`/console/tasks/${task.id}`}>
              {taskName(task.task_type)}
            </a>{' '}
            <code class="muted">{task.id.slice(0, 8)}</code>
          </td>
          <td>
            <TaskBadge status={task.status} />
          </td>
          <td>
            <Time iso={task.created_at} />
          </td>
          <td>
            <Time iso={task.completed_at} />
          </td>
          <td class="num">{formatPercent(task.progress)}</td>
          <td class="num">{formatNumber(task.units_charged)}</td>
          <td class="num">{formatNumber(task.units_refunded)}</td>
        </tr>
      ))}
    </tbody>
  </TableFrame>
)
