import { useEffect, useState } from 'preact/hooks'
import type { Company } from '../../../src/contract/companies.ts'
import type { HistoryEvent } from '../../../src/contract/history.ts'
import { formatDay, formatField } from '../../lib/format.ts'
import type { RequestError } from '../../lib/http.ts'
import { asRequestError, get, withQuery } from '../../lib/http.ts'
import { Failure, Skeleton } from '../../ui/feedback.tsx'
import { TableCard, wide } from '../../ui/table-frame.tsx'
import { Outside } from '../../ui/text.tsx'

const PAGE = 200
type Value = HistoryEvent['old_value']

/**
 * Returns the fields that changed after a given time with their values at that time: the old value of each field's
 * first later change.
 */
async function readUndone(address: string, since: string): Promise<Map<string, Value>> {
  const undone = new Map<string, Value>()
  for (let after = since; ; ) {
    const path = withQuery(`${address}/history`, { since: after, order: 'asc', limit: PAGE })
    const { events } = await get<{ events: HistoryEvent[] }>(path)
    for (const { field, old_value } of events) if (!undone.has(field)) undone.set(field, old_value)
    const last = events.at(-1)
    if (events.length < PAGE || !last) return undone
    after = last.changed_at
  }
}

/** Shows the record at the end of a selected day, next to the current values. */
export function AsOf({ company, address, day }: { company: Company; address: string; day: string }) {
  const [undone, setUndone] = useState<Map<string, Value>>()
  const [error, setError] = useState<RequestError>()
  useEffect(() => {
    setUndone(undefined)
    setError(undefined)
    readUndone(address, `${day}T23:59:59.999999Z`).then(setUndone, (problem: unknown) =>
      setError(asRequestError(problem)),
    )
  }, [address, day])
  if (error) return <Failure error={error} />
  if (!undone) return <Skeleton lines={8} />
  const current = company as unknown as Record<string, Value>
  const fields = Object.keys(company.provenance ?? {})
  const names = [...new Set([...fields, ...undone.keys()])]
  return (
    <TableCard
      title={`As of the end of ${formatDay(day)} (UTC)`}
      label="Record as of a day"
      columns={['Field', wide('Then'), wide('Now')]}
    >
      {names.map((name) => {
        const now = current[name] ?? null
        const then = undone.has(name) ? (undone.get(name) ?? null) : now
        return (
          <tr key={name}>
            <th scope="row">{formatField(name)}</th>
            <td>
              <Outside>{then === null ? null : String(then)}</Outside>
            </td>
            <td>
              {then === now ? (
                <span class="muted">the same</span>
              ) : (
                <Outside>{now === null ? null : String(now)}</Outside>
              )}
            </td>
          </tr>
        )
      })}
    </TableCard>
  )
}
