import type { TalImport } from '../../../src/contract/tal-sheets.ts'
import { formatPercent, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { hidden, num, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Outside } from '../../ui/text.tsx'

const SHOWN = 200

interface RowTableProps {
  preview: TalImport
  accepted: ReadonlySet<number>
  onAccept: (accepted: ReadonlySet<number>) => void
}

/** Rows that need attention: doubtful matches to decide, and rows without a match. */
export function RowTable({ preview, accepted, onAccept }: RowTableProps) {
  const open = preview.results.filter(({ status }) => status === 'doubtful' || status === 'unknown')
  const rows = open.toSorted((one, other) => Number(other.status === 'doubtful') - Number(one.status === 'doubtful'))
  if (rows.length === 0) return null
  const toggle = (row: number) => {
    const next = new Set(accepted)
    if (!next.delete(row)) next.add(row)
    onAccept(next)
  }
  const doubtful = rows.filter(({ status }) => status === 'doubtful').map(({ row }) => row)
  return (
    <Card
      title={[
        ...(preview.doubtful > 0 ? [`${plural(preview.doubtful, 'row')} to decide`] : []),
        ...(preview.unknown > 0 ? [`${plural(preview.unknown, 'row')} not found`] : []),
      ].join(', ')}
      aside={
        doubtful.length > 0 && (
          <span class="row">
            <button type="button" class="button small" onClick={() => onAccept(new Set(doubtful))}>
              Accept all
            </button>
            <button type="button" class="button small" onClick={() => onAccept(new Set())}>
              Accept none
            </button>
          </span>
        )
      }
      flush
    >
      <TableFrame label="Rows" columns={[hidden('Accept'), num('Row'), 'Company', num('Likelihood'), wide('Reason')]}>
        <tbody>
          {rows.slice(0, SHOWN).map(({ row, status, domain, matched_name, likelihood, reason }) => (
            <tr key={row}>
              <td class="pick">
                {status === 'doubtful' && (
                  <input
                    type="checkbox"
                    aria-label={`Accept row ${row}`}
                    checked={accepted.has(row)}
                    onChange={() => toggle(row)}
                  />
                )}
              </td>
              <td class="num">{row}</td>
              <td>
                {status === 'unknown' ? (
                  <Badge tone="idle">Not found</Badge>
                ) : (
                  <>
                    <Outside max={80}>{matched_name ?? domain}</Outside>
                    <div class="muted outside">{domain}</div>
                  </>
                )}
              </td>
              <td class="num">{likelihood === null ? '' : formatPercent(likelihood)}</td>
              <td>
                <Outside>{reason}</Outside>
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {rows.length > SHOWN && <p class="card-body muted">The first {SHOWN} are shown.</p>}
    </Card>
  )
}
