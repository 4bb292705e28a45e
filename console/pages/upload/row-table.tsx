import type { TalImport, TalImportRow } from '../../../src/contract/tal-sheets.ts'
import { formatPercent, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { hidden, num, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Outside } from '../../ui/text.tsx'

const SHOWN = 200

const kindOf = ({ status, duplicate_of }: TalImportRow) =>
  status === 'matched' && duplicate_of !== null ? 'duplicate' : status

interface RowTableProps {
  preview: TalImport
  accepted: ReadonlySet<number>
  onAccept: (accepted: ReadonlySet<number>) => void
}

/** Rows that need attention: doubtful matches to decide, rows without a match, and duplicates. */
export function RowTable({ preview, accepted, onAccept }: RowTableProps) {
  const byKind = Map.groupBy(preview.results, kindOf)
  const rows = (['doubtful', 'unknown', 'duplicate'] as const).flatMap((kind) => byKind.get(kind) ?? [])
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
        ...(preview.duplicates > 0 ? [plural(preview.duplicates, 'duplicate')] : []),
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
      <TableFrame
        label="Rows"
        columns={[hidden('Accept'), num('Row'), 'In the file', 'Company found', num('Likelihood'), wide('Reason')]}
      >
        <tbody>
          {rows
            .slice(0, SHOWN)
            .map(({ row, status, given, domain, matched_name, likelihood, duplicate_of, reason }) => (
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
                  <Outside max={80}>{given}</Outside>
                </td>
                <td>
                  {status === 'unknown' ? (
                    <Badge tone="idle">Not found</Badge>
                  ) : (
                    <>
                      <Outside max={80}>{matched_name ?? domain}</Outside>
                      {matched_name !== null && <div class="muted outside">{domain}</div>}
                    </>
                  )}
                </td>
                <td class="num">{likelihood === null ? '' : formatPercent(likelihood)}</td>
                <td>
                  <Outside>
                    {duplicate_of === null ? reason : `The same company as row ${duplicate_of}, whose values are used.`}
                  </Outside>
                </td>
              </tr>
            ))}
        </tbody>
      </TableFrame>
      {rows.length > SHOWN && <p class="card-body muted">The first {SHOWN} are shown.</p>}
    </Card>
  )
}
