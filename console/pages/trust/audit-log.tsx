import type { AuditPage } from '../../../src/contract/audit.ts'
import { formatField } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Badge, Empty } from '../../ui/feedback.tsx'
import { Filter } from '../../ui/filter.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { PageLinks } from '../../ui/pager.tsx'
import { TableFrame, wide } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'

const ACTIONS = ['list', 'task', 'run', 'key', 'session', 'webhook', 'person'] as const

/** Changes made with the client's keys. */
export function AuditLog() {
  const { query, href, change } = useQuery()
  const { action = '', before = '' } = query
  const page = useResource<AuditPage>(withQuery('/v2/audit', { action, before }))
  return (
    <Card
      title="Changes"
      aside={
        <Filter
          label="Kind of change"
          all="All changes"
          value={action}
          options={ACTIONS.map((name) => [name, name])}
          onChange={(action) => change({ action, before: undefined })}
        />
      }
      flush
    >
      <Loaded resource={page}>
        {({ entries, limit }) =>
          entries.length === 0 ? (
            <Empty title="No changes">Changes through the API and the console are listed here.</Empty>
          ) : (
            <>
              <TableFrame
                label="Audit log"
                columns={['Time', 'Action', 'Target', 'Result', wide('Details'), 'Address']}
              >
                <tbody>
                  {entries.map(({ entry_id, at, action: name, target, result, details, address }) => (
                    <tr key={entry_id}>
                      <td>
                        <Time iso={at} absolute />
                      </td>
                      <td>
                        <code>{name}</code>
                      </td>
                      <td>
                        <Target action={name} target={target} />
                      </td>
                      <td>
                        <Badge tone={result === 'ok' ? 'good' : 'warn'}>
                          {result === 'ok' ? 'OK' : formatField(result)}
                        </Badge>
                      </td>
                      <td class="muted">
                        <Outside>{describe(details)}</Outside>
                      </td>
                      <td>
                        <Outside max={60}>{address}</Outside>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </TableFrame>
              <PageLinks
                links={[
                  entries.length === limit && { name: 'Older', href: href({ before: entries.at(-1)?.entry_id }) },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

/** The changed object. A task's ID links to the task's page. */
const Target = ({ action, target }: { action: string; target: string | null }) =>
  action.startsWith('task.') && target !== null ? (
    <a href={`/console/tasks/${encodeURIComponent(target)}`} title={target}>
      <code>{target.slice(0, 8)}</code>
    </a>
  ) : (
    <Outside max={80}>{target}</Outside>
  )

/** Formats the details as `name: value`, omitting absent values. */
const describe = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
