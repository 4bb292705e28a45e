import type { Company } from '../../../src/contract/companies.ts'
import type { HistoryEvent } from '../../../src/contract/history.ts'
import { formatDateTime, formatField } from '../../lib/format.ts'
import { withQuery } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { TableCard, wide } from '../../ui/table-frame.tsx'
import { Outside } from '../../ui/text.tsx'
import { AsOf } from './as-of.tsx'

const PAGE = 100

interface Events {
  events: HistoryEvent[]
}

/** A company's changes, field by field, and its record on a selected day. */
export function History({ company, address }: { company: Company; address: string }) {
  const { query, change } = useQuery()
  const { field = '', day = '' } = query
  const history = useResource<Events>(
    day ? undefined : withQuery(`${address}/history`, { limit: PAGE, field, offset: query['offset'] }),
  )
  const offset = Number(query['offset'] ?? 0)
  const fields = [
    ...new Set([
      'name',
      'employee_count',
      'headquarters_city',
      ...(history.data?.events ?? []).map((event) => event.field),
    ]),
  ]
  return (
    <>
      <div class="toolbar no-print">
        <select
          class="input"
          aria-label="Field"
          value={field}
          disabled={Boolean(day)}
          onChange={(event) => change({ field: event.currentTarget.value, offset: undefined })}
        >
          <option value="">All fields</option>
          {fields.map((name) => (
            <option key={name} value={name}>
              {formatField(name)}
            </option>
          ))}
        </select>
        <label class="row">
          <span class="muted nowrap">Record as of</span>
          <input
            type="date"
            class="input"
            value={day}
            max={new Date().toISOString().slice(0, 10)}
            onChange={(event) => change({ day: event.currentTarget.value, offset: undefined })}
          />
        </label>
        {day && (
          <button type="button" class="button" onClick={() => change({ day: undefined })}>
            Show changes
          </button>
        )}
      </div>
      {day ? (
        <AsOf company={company} address={address} day={day} />
      ) : (
        <Loaded resource={history}>
          {({ events }) => (
            <>
              <Changes events={events} />
              <nav class="row no-print" aria-label="Pages of the history">
                {offset > 0 && (
                  <button
                    type="button"
                    class="button"
                    onClick={() => change({ offset: Math.max(0, offset - PAGE) || undefined })}
                  >
                    Newer
                  </button>
                )}
                {events.length === PAGE && (
                  <button type="button" class="button" onClick={() => change({ offset: offset + PAGE })}>
                    Older
                  </button>
                )}
              </nav>
            </>
          )}
        </Loaded>
      )}
    </>
  )
}

function Changes({ events }: { events: readonly HistoryEvent[] }) {
  if (events.length === 0)
    return (
      <Card>
        <Empty title="No changes">Future changes to fields are listed here with their sources.</Empty>
      </Card>
    )
  return (
    <TableCard
      title="Changes, newest first"
      label="Changes"
      columns={['When', 'Field', wide('Before'), wide('After'), 'Source']}
    >
      {events.map((event) => (
        <tr key={event.id}>
          <td class="nowrap">
            <time dateTime={event.changed_at}>{formatDateTime(event.changed_at)}</time>
          </td>
          <th scope="row">{formatField(event.field)}</th>
          <td>
            {event.old_value === null ? (
              <span class="faint">–</span>
            ) : (
              <del class="diff">
                <Outside>{String(event.old_value)}</Outside>
              </del>
            )}
          </td>
          <td>
            {event.new_value === null ? (
              <span class="muted">removed</span>
            ) : (
              <ins class="diff">
                <Outside>{String(event.new_value)}</Outside>
              </ins>
            )}
          </td>
          <td class="nowrap">{event.source}</td>
        </tr>
      ))}
    </TableCard>
  )
}
