import type { RejectedRecord } from '../../src/contract/warehouse.ts'
import { printable } from '../lib/format.ts'
import { Card } from './page.tsx'
import { TableFrame, wide } from './table-frame.tsx'
import { Copy, Outside, Time } from './text.tsx'

/** Records that the warehouse could not store, as received. */
export function Rejected({ records }: { records: readonly RejectedRecord[] }) {
  return (
    <Card
      title="Rejected records"
      aside={
        <span class="muted">
          Other records of the same page were stored. When the service corrects a record, the next run stores it.
        </span>
      }
      flush
    >
      <TableFrame
        label="Rejected records"
        columns={[wide('Record'), wide('Reason'), 'First seen', wide('As received')]}
      >
        <tbody>
          {records.map(({ entity, key, reason, record, first_seen_at }) => {
            const text = JSON.stringify(record, null, 2)
            return (
              <tr key={`${entity} ${key} ${reason} ${first_seen_at}`}>
                <td>
                  {entity} <Outside max={80}>{key}</Outside>
                </td>
                <td>
                  <Outside>{reason}</Outside>
                </td>
                <td>
                  <Time iso={first_seen_at} />
                </td>
                <td>
                  <details>
                    <summary>Show</summary>
                    <Copy text={text} label="Copy the record" />
                    <pre class="code">{printable(text.slice(0, 20_000))}</pre>
                  </details>
                </td>
              </tr>
            )
          })}
        </tbody>
      </TableFrame>
    </Card>
  )
}
